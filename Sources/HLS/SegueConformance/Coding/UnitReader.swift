/// Iterates over the NAL units of a stream with start codes or lengths.
struct UnitReader: Sequence, IteratorProtocol {
    private let bytes: ArraySlice<UInt8>
    /// The size of a length in bytes; nil for start codes.
    private let lengthSize: Int?
    private var place: Int

    init(startCodes bytes: ArraySlice<UInt8>) {
        (self.bytes, lengthSize) = (bytes, nil)
        place = Self.codeEnd(in: bytes, from: bytes.startIndex) ?? bytes.endIndex
    }

    init(lengths bytes: ArraySlice<UInt8>, size: Int) {
        (self.bytes, lengthSize, place) = (bytes, size, bytes.startIndex)
    }

    mutating func next() -> ArraySlice<UInt8>? {
        if let lengthSize {
            guard bytes.endIndex - place > lengthSize else { return nil }
            let length = bytes[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
            let start = place + lengthSize
            let end = start + Swift.min(length, bytes.endIndex - start)
            place = end
            return bytes[start..<end]
        }
        guard place < bytes.endIndex else { return nil }
        let start = place
        var end = bytes.endIndex
        if let next = Self.codeEnd(in: bytes, from: start) {
            (end, place) = (next - 3, next)
        } else {
            place = bytes.endIndex
        }
        while end > start, bytes[end - 1] == 0 { end -= 1 }
        return bytes[start..<end]
    }

    /// Returns true if length-prefixed units fill the bytes, except for zeros at the end.
    static func fills(_ bytes: ArraySlice<UInt8>, size: Int) -> Bool {
        var rest = bytes
        while rest.count >= size, rest.contains(where: { $0 != 0 }) {
            let length = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
            guard length <= rest.count - size else { return false }
            rest = rest.dropFirst(size + length)
        }
        return !rest.contains { $0 != 0 }
    }

    /// Returns the end of the next start code.
    private static func codeEnd(in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
        var place = start
        while bytes.endIndex - place >= 3 {
            let third = bytes[place + 2]
            if third > 1 {
                place += 3
            } else if third == 1, bytes[place] == 0, bytes[place + 1] == 0 {
                return place + 3
            } else {
                place += 1
            }
        }
        return nil
    }
}
