import SegueBase
import SegueByteCoding
import SegueConformance
import SegueContainers
import SeguePlaylists
import Testing

@Suite struct `Segment ciphers` {
    private static let key = [UInt8](0..<16)
    private static let vector = [UInt8](repeating: 7, count: 16)
    private static let segment = TransportStream.segment(hasVideo: true, hasAudio: true, size: 4000)

    private static func opened(_ bytes: [UInt8], key: [UInt8]? = key) -> (facts: SealedFacts, bytes: [UInt8]?) {
        SegmentCipher(key: key, vector: vector).open(bytes, number: 3, url: "a.ts")
    }

    @Test func `a segment is decrypted and inspected`() throws {
        let sealed = try BlockCipher.encrypt(Self.segment, key: Self.key, vector: Self.vector)
        let (facts, bytes) = Self.opened(sealed)
        #expect(bytes == Self.segment)
        #expect(facts.failure == nil && !facts.isClear && facts.keyLength == 16 && facts.size == sealed.count)
    }

    @Test func `a failed decryption gives its reason`() throws {
        let sealed = try BlockCipher.encrypt(Self.segment, key: Self.key, vector: Self.vector)
        let wrong = Self.opened(sealed, key: [UInt8](repeating: 1, count: 16)).facts
        #expect(wrong.failure?.text.contains("padding") == true)
        #expect(Self.opened(sealed, key: [1, 2, 3]).bytes == nil)
        #expect(Self.opened(sealed, key: nil).facts.keyLength == nil)
        #expect(Self.opened(sealed.dropLast()).bytes == nil)
        #expect(Self.opened([]).bytes == nil)
    }

    @Test func `clear and encrypted segments are distinguished`() {
        let (facts, bytes) = Self.opened(Self.segment)
        #expect(facts.isClear && bytes == Self.segment)
    }

    @Test(
        arguments: [
            (nil, 258, [UInt8](repeating: 0, count: 14) + [1, 2]), ("0xA", 1, [UInt8](repeating: 0, count: 15) + [10]),
            ("0X000102030405060708090A0B0C0D0E0F", 1, [UInt8](0..<16)), ("12", 1, nil), ("0x", 1, nil),
            ("0xZZ", 1, nil),
            ("0x000102030405060708090A0B0C0D0E0F00", 1, nil), (nil, nil, nil),
        ] as [(String?, Int?, [UInt8]?)]
    )
    func `the initialization vector is the declared one, else the sequence number`(
        text: String?,
        sequence: Int?,
        vector: [UInt8]?
    ) {
        let key = MediaKey(method: "AES-128", uri: "k", initializationVector: text)
        #expect(SegmentCipher.vector(of: key, sequence: sequence) == vector)
    }
}
