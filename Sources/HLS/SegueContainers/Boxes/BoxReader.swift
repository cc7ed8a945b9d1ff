/// Goes through the boxes of one level that is in memory; their bodies are parts of the same bytes.
package struct BoxReader {
    /// A box: its type, and what follows its head.
    package typealias Box = (type: FourCC, body: ArraySlice<UInt8>)

    @usableFromInline var rest: ArraySlice<UInt8>

    /// A reader of the boxes in some bytes.
    @inlinable package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next box; one that claims to be longer than what is there is cut short.
    ///
    /// - Returns: Nil at the end, and where a head cannot be read.
    @inlinable package mutating func next() -> Box? {
        guard let head = BoxHead(rest) else { return nil }
        let end = head.size.map { rest.startIndex + Int(min($0, Int64(rest.count))) } ?? rest.endIndex
        let body = rest[rest.startIndex + head.length..<end]
        rest = rest[end...]
        return (head.type, body)
    }

    /// The body of the first box of a type.
    @inlinable package static func first(_ type: FourCC, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var boxes = BoxReader(bytes)
        while let box = boxes.next() {
            if box.type == type { return box.body }
        }
        return nil
    }

    /// The body of the box at a path of types.
    package static func first(_ path: [FourCC], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var bytes: ArraySlice<UInt8>? = bytes
        for type in path { bytes = bytes.flatMap { first(type, in: $0) } }
        return bytes
    }
}
