internal import SegueFFmpeg

/// Writes numbers, bytes and texts one after the other.
struct KeptWriter {
    /// What was written so far.
    private(set) var bytes: [UInt8] = []

    /// Writes a number.
    mutating func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: Int64(truncatingIfNeeded: number).littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes yes or no.
    mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// Writes bytes and how many they are.
    mutating func put(_ content: [UInt8]) {
        put(content.count)
        bytes.append(contentsOf: content)
    }

    /// Writes a text.
    mutating func put(_ text: String) { put(Array(text.utf8)) }

    /// Writes how many there are of something, and each of them.
    mutating func put<Element>(_ list: some Collection<Element>, _ write: (inout KeptWriter, Element) -> Void) {
        put(list.count)
        for element in list { write(&self, element) }
    }

    /// All that was written, and a sum over it.
    func sealed() -> [UInt8] {
        var result = self
        result.put(bytes.withUnsafeBytes { Checksum.adler32($0) })
        return result.bytes
    }
}

/// Reads what a ``KeptWriter`` wrote, and trusts none of it.
struct KeptReader {
    /// Something is there that nobody wrote.
    struct Damage: Error {}

    private let bytes: [UInt8]
    private var place = 0
    private let end: Int

    /// A reader of sealed bytes.
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

    /// The number of bytes are left, the sum's not counted.
    private var left: Int { end - 8 - place }

    /// True if nothing is left.
    var isAtEnd: Bool { left == 0 }

    /// The next number.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(Damage) -> Number {
        guard place + 8 <= end else { throw Damage() }
        let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Int64.self) }
        place += 8
        guard let fitting = Number(exactly: Int64(littleEndian: value)) else { throw Damage() }
        return fitting
    }

    /// The next yes or no.
    mutating func flag() throws(Damage) -> Bool {
        guard left >= 1 else { throw Damage() }
        place += 1
        return bytes[place - 1] != 0
    }

    /// The next bytes.
    mutating func content() throws(Damage) -> [UInt8] {
        let count = try number(Int.self)
        guard count >= 0, count <= left else { throw Damage() }
        place += count
        return Array(bytes[place - count..<place])
    }

    /// The next text.
    mutating func text() throws(Damage) -> String { String(decoding: try content(), as: UTF8.self) }

    /// The next list of something.
    mutating func list<Element>(
        _ read: (inout KeptReader) throws(Damage) -> Element
    ) throws(Damage) -> [Element] {
        let count = try number(Int.self)
        // Nothing that is listed is written in no bytes at all.
        guard count >= 0, count <= left else { throw Damage() }
        var result: [Element] = []
        result.reserveCapacity(count)
        for _ in 0..<count { result.append(try read(&self)) }
        return result
    }
}
