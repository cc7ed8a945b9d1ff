package import SegueBase
internal import SegueContainers

/// A fragmented MP4 segment with one fragment per part.
///
/// It is derived from a ``FragmentWriter`` segment, so it is reproducible. Each part is a movie fragment with its
/// samples; the first one follows the segment's head. Concatenated, the parts are the segment.
package struct ChunkedSegment: Sendable, Equatable {
    package let bytes: [UInt8]
    /// The end offset of each part.
    package let ends: [Int]

    /// The byte range of a part; nil if it does not exist.
    package func range(ofPart number: Int) -> Range<Int>? {
        guard ends.indices.contains(number) else { return nil }
        return (number == 0 ? 0 : ends[number - 1])..<ends[number]
    }

    /// Splits a single-fragment segment into parts; nil if the bytes are not one.
    ///
    /// `start` is the segment's timestamp in seconds, and `initialization` its init segment.
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
                // Fragment numbers must increase; no segment has 256 parts.
                ChunkWriter.write(chunk, of: segment, sequence: number &* 256 &+ place &+ 1, to: &output)
                ends.append(output.count)
            }
        }
        self.ends = ends
    }

    /// Parses a chunked segment; nil if the bytes are not one.
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
