internal import SegueFFmpeg

/// A binary encoder.
struct KeptWriter {
    /// The bytes written so far.
    private(set) var bytes: [UInt8] = []

    /// Writes a number.
    mutating func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: Int64(truncatingIfNeeded: number).littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes a flag.
    mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// Writes bytes with their count.
    mutating func put(_ content: [UInt8]) {
        put(content.count)
        bytes.append(contentsOf: content)
    }

    mutating func put(_ text: String) { put(Array(text.utf8)) }

    /// Writes a list with its count.
    mutating func put<Element>(_ list: some Collection<Element>, _ write: (inout KeptWriter, Element) -> Void) {
        put(list.count)
        for element in list { write(&self, element) }
    }

    /// The bytes with a checksum.
    func sealed() -> [UInt8] {
        var result = self
        result.put(bytes.withUnsafeBytes { Checksum.adler32($0) })
        return result.bytes
    }
}

/// A defensive decoder of ``KeptWriter`` output.
struct KeptReader {
    /// An error for invalid data.
    struct Damage: Error {}

    private let bytes: [UInt8]
    private var place = 0
    private let end: Int

    /// Opens sealed bytes.
    init(_ sealed: [UInt8]) throws(Damage) {
        guard sealed.count >= 8 else { throw Damage() }
        bytes = sealed
        place = sealed.count - 8
        end = sealed.count
        let sum = try number(UInt32.self)
        guard sealed.withUnsafeBytes({ Checksum.adler32(.init(rebasing: $0.dropLast(8))) }) == sum else {
            throw Damage()
        }
        place = 0
    }

    /// The number of bytes left, without the checksum.
    private var left: Int { end - 8 - place }

    var isAtEnd: Bool { left == 0 }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(Damage) -> Number {
        guard place + 8 <= end else { throw Damage() }
        let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Int64.self) }
        place += 8
        guard let fitting = Number(exactly: Int64(littleEndian: value)) else { throw Damage() }
        return fitting
    }

    mutating func flag() throws(Damage) -> Bool {
        guard left >= 1 else { throw Damage() }
        place += 1
        return bytes[place - 1] != 0
    }

    mutating func content() throws(Damage) -> [UInt8] {
        let count = try number(Int.self)
        guard count >= 0, count <= left else { throw Damage() }
        place += count
        return Array(bytes[place - count..<place])
    }

    mutating func text() throws(Damage) -> String { String(decoding: try content(), as: UTF8.self) }

    mutating func list<Element>(
        _ read: (inout KeptReader) throws(Damage) -> Element
    ) throws(Damage) -> [Element] {
        let count = try number(Int.self)
        // Every element takes at least one byte.
        guard count >= 0, count <= left else { throw Damage() }
        var result: [Element] = []
        result.reserveCapacity(count)
        for _ in 0..<count { result.append(try read(&self)) }
        return result
    }
}
