package import SegueConcurrency
import SegueFFmpeg

/// A body whose bytes are made piece by piece while they are sent, so that it is never held as a whole.
package struct PiecewiseBody: Sendable {
    /// A piece that has not the bytes that were announced.
    package struct Changed: Error {}

    /// What it is: bodies with the same name have the same bytes.
    package let name: String
    /// Where each piece ends, ascending.
    private let ends: [Int64]
    private let make: @Sendable (Int, Cancellation) throws -> KeptBytes

    /// A body of pieces.
    ///
    /// - Parameters:
    ///   - name: What it is, such as its entity tag.
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

    /// How many bytes it has.
    package var length: Int64 { ends.last ?? 0 }

    /// The pieces of which any byte lies in a range.
    package func pieces(in range: Range<Int64>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        let first = ends.partitioningIndex { $0 > range.lowerBound }
        let last = ends.partitioningIndex { $0 >= range.upperBound }
        return first..<min(ends.count, last + 1)
    }

    /// Which bytes of a piece lie in a range of the whole body.
    package func range(inPiece piece: Int, of range: Range<Int64>) -> Range<Int> {
        let start = start(ofPiece: piece)
        let wanted = range.clamped(to: start..<ends[piece])
        return Int(wanted.lowerBound - start)..<Int(wanted.upperBound - start)
    }

    /// The bytes of a piece; blocks while they are made.
    ///
    /// - Parameters:
    ///   - piece: The piece's number.
    ///   - cancellation: Stops the work.
    /// - Returns: The bytes.
    /// - Throws: ``Changed`` when they are not what was announced, or what making them throws.
    package func kept(_ piece: Int, cancellation: Cancellation) throws -> KeptBytes {
        let kept = try make(piece, cancellation)
        guard Int64(kept.count) == ends[piece] - start(ofPiece: piece) else { throw Changed() }
        return kept
    }

    /// Some bytes of a piece; blocks while it is made.
    private func bytes(ofPiece piece: Int, _ part: Range<Int>, cancellation: Cancellation) throws -> [UInt8] {
        while true {
            // Where memory is very short they may have been let go of in between.
            if let bytes = try kept(piece, cancellation: cancellation).read(part) { return bytes }
            if cancellation.isCancelled { throw OriginFailure.cancelled }
        }
    }

    private func start(ofPiece piece: Int) -> Int64 { piece == 0 ? 0 : ends[piece - 1] }

    /// All bytes in a range; blocks while they are made.
    ///
    /// - Parameters:
    ///   - range: The range of the whole body.
    ///   - cancellation: Stops the work.
    /// - Returns: The bytes.
    /// - Throws: As ``kept(_:cancellation:)``.
    package func bytes(in range: Range<Int64>, cancellation: Cancellation = Cancellation()) throws -> [UInt8] {
        try pieces(in: range).flatMap { piece in
            try bytes(ofPiece: piece, self.range(inPiece: piece, of: range), cancellation: cancellation)
        }
    }
}

extension [Int64] {
    /// The first place of an ascending list whose number satisfies a condition that holds from there on.
    fileprivate func partitioningIndex(_ condition: (Int64) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
