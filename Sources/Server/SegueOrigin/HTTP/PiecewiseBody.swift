package import SegueConcurrency
import SegueFFmpeg

/// A body that is made piece by piece while it is sent, so that it is never in memory as a whole.
package struct PiecewiseBody: Sendable {
    /// A piece whose size differs from the announced one.
    package struct Changed: Error {}

    /// The identity: bodies with the same name have the same bytes.
    package let name: String
    /// The end of each piece, ascending.
    private let ends: [Int64]
    private let make: @Sendable (Int, Cancellation) throws -> KeptBytes

    /// - Parameters:
    ///   - name: The identity, such as an entity tag.
    ///   - sizes: The number of bytes of each piece.
    ///   - make: Makes a piece, the same bytes each time.
    package init(name: String, sizes: [Int64], make: @escaping @Sendable (Int, Cancellation) throws -> KeptBytes) {
        self.name = name
        var end: Int64 = 0
        ends = sizes.map { size in
            end += size
            return end
        }
        self.make = make
    }

    package var length: Int64 { ends.last ?? 0 }

    /// The pieces that overlap a range.
    package func pieces(in range: Range<Int64>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        let first = ends.partitioningIndex { $0 > range.lowerBound }
        let last = ends.partitioningIndex { $0 >= range.upperBound }
        return first..<min(ends.count, last + 1)
    }

    /// The range of a piece that lies in a range of the whole body.
    package func range(inPiece piece: Int, of range: Range<Int64>) -> Range<Int> {
        let start = start(ofPiece: piece)
        let wanted = range.clamped(to: start..<ends[piece])
        return Int(wanted.lowerBound - start)..<Int(wanted.upperBound - start)
    }

    /// Makes a piece; blocks.
    ///
    /// - Throws: ``Changed`` if the piece has another size than announced, or the error of making it.
    package func kept(_ piece: Int, cancellation: Cancellation) throws -> KeptBytes {
        let kept = try make(piece, cancellation)
        guard Int64(kept.count) == ends[piece] - start(ofPiece: piece) else { throw Changed() }
        return kept
    }

    private func bytes(ofPiece piece: Int, _ part: Range<Int>, cancellation: Cancellation) throws -> [UInt8] {
        while true {
            // If memory is very short, they may be evicted in between.
            if let bytes = try kept(piece, cancellation: cancellation).read(part) { return bytes }
            if cancellation.isCancelled { throw OriginFailure.cancelled }
        }
    }

    private func start(ofPiece piece: Int) -> Int64 { piece == 0 ? 0 : ends[piece - 1] }

    /// Makes all bytes of a range; blocks.
    ///
    /// - Throws: The errors of ``kept(_:cancellation:)``.
    package func bytes(in range: Range<Int64>, cancellation: Cancellation = Cancellation()) throws -> [UInt8] {
        try pieces(in: range).flatMap { piece in
            try bytes(ofPiece: piece, self.range(inPiece: piece, of: range), cancellation: cancellation)
        }
    }
}

extension [Int64] {
    /// The first index of an ascending list from which on a condition holds.
    fileprivate func partitioningIndex(_ condition: (Int64) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
