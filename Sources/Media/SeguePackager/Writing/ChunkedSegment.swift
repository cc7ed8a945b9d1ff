package import SegueBase
internal import SegueContainers

/// A segment of fragmented MP4 that is cut into several fragments, one for each of its parts.
///
/// It is made from a segment as ``FragmentWriter`` writes it, so that it is the same whoever has made that. Each part
/// is a movie fragment with its samples, behind what stands before the first; one after the other they are the segment.
package struct ChunkedSegment: Sendable, Equatable {
    /// The segment's bytes.
    package let bytes: [UInt8]
    /// Where each part ends.
    package let ends: [Int]

    /// The bytes of a part; nil where there is no such part.
    package func range(ofPart number: Int) -> Range<Int>? {
        guard ends.indices.contains(number) else { return nil }
        return (number == 0 ? 0 : ends[number - 1])..<ends[number]
    }

    /// Cuts a segment; nil where the bytes are none with one fragment, or there are no parts.
    ///
    /// - Parameters:
    ///   - segment: The segment, which has one fragment.
    ///   - initialization: The init segment that it needs.
    ///   - number: The segment's number in the plan.
    ///   - start: When it begins, on the clock of its timestamps, in seconds.
    ///   - parts: Where it is cut.
    package init?(
        _ segment: [UInt8],
        initialization: [UInt8],
        number: Int,
        start: Rational,
        parts: [PlannedPart]
    ) {
        guard !parts.isEmpty, let fragment = ReadFragment(segment, initialization: initialization[...]) else {
            return nil
        }
        var end: Int64 = 0
        let borders = parts.dropLast().map { part in
            end += part.microseconds
            return end
        }
        let chunks = fragment.chunks(start: start, borders: borders)
        var ends: [Int] = []
        bytes = ByteWriter.bytes(
            capacity: fragment.head.count + chunks.reduce(0) { $0 + ChunkWriter.size($1) }
        ) { output in
            segment.withUnsafeBytes { output.append(UnsafeRawBufferPointer(rebasing: $0[fragment.head])) }
            for (place, chunk) in chunks.enumerated() {
                // Fragments are numbered upwards; no segment has so many.
                ChunkWriter.write(chunk, of: segment, sequence: number &* 256 &+ place &+ 1, to: &output)
                ends.append(output.count)
            }
        }
        self.ends = ends
    }

    /// The chunked segment that bytes are, which were one before; nil where they are none.
    package init?(bytes: [UInt8]) {
        var boxes = BoxReader(bytes[...])
        var ends: [Int] = []
        while let box = boxes.next() {
            if box.type == "mdat" { ends.append(box.body.endIndex) }
        }
        guard ends.last == bytes.count else { return nil }
        (self.bytes, self.ends) = (bytes, ends)
    }
}
