import Foundation
import SegueByteCoding
import Testing

@Suite struct `Incremental SHA-256` {
    /// FIPS 180-4's example for two blocks.
    private static let words = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    private static let sum = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"

    @Test func `is equal for pieces and for the whole`() throws {
        for size in [1, 7, 56] {
            let checksum = try LongChecksum()
            let bytes = Array(Self.words.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { try checksum.add($0) }
            }
            #expect(try checksum.digits() == Self.sum)
        }
    }

    @Test func `reads a file, and fails for an unreadable one`() throws {
        let path = NSTemporaryDirectory() + "segue-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 0x61, count: 1_000_000 * 3).write(to: URL(fileURLWithPath: path))
        var calls = 0
        let whole = try LongChecksum.ofFile(at: path) { calls += 1 }
        let checksum = try LongChecksum()
        try [UInt8](repeating: 0x61, count: 3_000_000).withUnsafeBytes { try checksum.add($0) }
        #expect(try checksum.digits() == whole && calls == 3)
        #expect(throws: LongChecksum.Failure.self) { try LongChecksum.ofFile(at: "/no/such/file") }
        #expect(throws: LongChecksum.Failure.self) { try LongChecksum.ofFile(at: "/") }
    }
}
