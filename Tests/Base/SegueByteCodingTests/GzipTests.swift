import SegueByteCoding
import SegueTestSupport
import Testing

@Suite struct `Gzip format` {
    @Test(arguments: [0, 1, 200, 100_000, 3_000_000])
    func `round-trips any bytes`(count: Int) throws {
        let lines = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 61 &* ($0 / 977)) }
        let packed = try Gzip.compress(lines)
        #expect(gunzip(packed) == lines)
        #expect(gunzip(Array(packed.dropLast())) == nil)
    }

    @Test func `decompresses several members, up to the allowed size`() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 300) }
        let packed = try Gzip.compress(bytes)
        #expect(try Gzip.expand(packed, most: 200_000) == bytes)
        #expect(try Gzip.expand(packed + Gzip.compress([7]), most: 300_000) == bytes + [7])
        #expect(try Gzip.expand(Gzip.compress([]), most: 0).isEmpty)
        #expect(throws: Gzip.Failure.self) { try Gzip.expand(packed, most: 199_999) }
        #expect(throws: Gzip.Failure.self) { try Gzip.expand(Array(packed.dropLast()), most: 200_000) }
        #expect(throws: Gzip.Failure.self) { try Gzip.expand(bytes, most: 200_000) }
        #expect(throws: Gzip.Failure.self) { try Gzip.expand([], most: 200_000) }
    }

    @Test func `decompresses the beginning of truncated, damaged, or excessive data, in zlib's format as well`() throws
    {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 300) }
        let packed = try Gzip.compress(bytes)
        #expect(Gzip.beginning(of: packed, most: 300_000) == bytes)
        #expect(Gzip.beginning(of: packed, most: 1000) == Array(bytes.prefix(1000)))
        let cut = Gzip.beginning(of: Array(packed.dropLast(packed.count / 2)), most: 300_000)
        #expect(!cut.isEmpty && cut.count < bytes.count && cut == Array(bytes.prefix(cut.count)))
        #expect(Gzip.beginning(of: bytes, most: 1000).isEmpty && Gzip.beginning(of: [], most: 1000).isEmpty)
        // "abc" in a stored block with zlib's header and Adler-32 (RFC 1950, RFC 1951).
        let stored: [UInt8] = [0x78, 1, 1, 3, 0, 0xFC, 0xFF, 97, 98, 99, 2, 0x4D, 1, 0x27]
        #expect(Gzip.beginning(of: stored, most: 10) == [97, 98, 99])
    }

    @Test func `compresses random bytes`() throws {
        var state: UInt64 = 1
        let noise = (0..<300_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
        #expect(gunzip(try Gzip.compress(noise)) == noise)
    }

    @Test func `compresses a playlist well and deterministically`() throws {
        let text = (0..<1000).map { "#EXTINF:6.000000,\n2079fc5d964ccb88/full.fmp4/\($0).m4s\n" }.joined()
        let packed = try Gzip.compress(Array(text.utf8))
        #expect(packed.count * 5 < text.utf8.count)
        #expect(try Gzip.compress(Array(text.utf8)) == packed)
        // The header has no time and no name.
        #expect(packed.prefix(8) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    }
}
