/// Iterates over the boxes of one level in memory.
///
/// The bodies are slices of the same bytes.
package struct BoxReader {
    package typealias Box = (type: FourCC, body: ArraySlice<UInt8>)

    @usableFromInline var rest: ArraySlice<UInt8>

    @inlinable package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Returns the next box; a box that exceeds the bytes is truncated.
    ///
    /// - Returns: Nil at the end and at a malformed header.
    @inlinable package mutating func next() -> Box? {
        guard let head = BoxHead(rest) else { return nil }
        let end = head.size.map { rest.startIndex + Int(min($0, Int64(rest.count))) } ?? rest.endIndex
        let body = rest[rest.startIndex + head.length..<end]
        rest = rest[end...]
        return (head.type, body)
    }

    /// Returns the body of the first box of a type.
    @inlinable package static func first(_ type: FourCC, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var boxes = BoxReader(bytes)
        while let box = boxes.next() {
            if box.type == type { return box.body }
        }
        return nil
    }

    /// Returns the body of the box at a path of types.
    package static func first(_ path: [FourCC], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var bytes: ArraySlice<UInt8>? = bytes
        for type in path { bytes = bytes.flatMap { first(type, in: $0) } }
        return bytes
    }
}
