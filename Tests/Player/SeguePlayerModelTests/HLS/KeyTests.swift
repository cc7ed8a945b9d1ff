import SegueBase
import SegueByteCoding
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

@Suite struct `Encrypted media` {
    private let key: [UInt8] = Array(1...16)

    private func playlist(_ tag: String, first: Int = 0) -> String {
        "#EXTM3U\n#EXT-X-VERSION:5\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(first)\n\(tag)\n"
            + (0..<4).map { "#EXTINF:6,\n\($0).ts\n" }.joined() + "#EXT-X-ENDLIST\n"
    }

    private func media(_ number: Int) -> [UInt8] {
        TransportStream.segment(hasVideo: true, hasAudio: true, size: 10_000 + number * 1000)
    }

    private func play(
        _ text: String,
        _ changes: [String: String] = [:],
        vector: @escaping (Int) -> [UInt8],
        keyAnswer: MemoryFetcher.Answer? = nil
    ) throws -> (rig: Rig, delivered: [DeliveredResource]) {
        let rig = Rig(platform: try Shipped.platform("desktop", changes), titles: []) { request in
            let path = request.url.replacing("http://origin/", with: "")
            if path == "index.m3u8" { return (200, Array(text.utf8)) }
            if path == "key" { return keyAnswer ?? (200, self.key) }
            guard let number = Int(path.dropLast(3)) else { return (404, []) }
            let encrypted = try? BlockCipher.encrypt(self.media(number), key: self.key, vector: vector(number))
            return (200, encrypted ?? [])
        }
        var delivered: [DeliveredResource] = []
        rig.runner.delivered = { resource, _ in delivered.append(resource) }
        rig.plan(.open([ItemAddress(full: "http://origin/index.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        return (rig, delivered)
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        Array(repeating: 0, count: 14) + [UInt8(number >> 8), UInt8(number & 255)]
    }

    @Test func `AES-128 is decrypted with the media sequence number, and its key is fetched once`() throws {
        let text = playlist("#EXT-X-KEY:METHOD=AES-128,URI=\"key\"", first: 298)
        let (rig, delivered) = try play(text, vector: { Self.bigEndian(298 + $0) })
        #expect(rig.session.isFinished)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(24))
        #expect(rig.paths == ["index.m3u8", "key", "0.ts", "1.ts", "2.ts", "3.ts"])
        #expect(delivered.dropFirst().map(\.bytes) == (0..<4).map(media))
        let kinds = rig.kinds.compactMap { kind in
            if case .requestBegan(_, _, let resource) = kind { resource } else { nil }
        }
        #expect(kinds == ["playlist", "key", "segment", "segment", "segment", "segment"])
        let headers = try #require(rig.fetcher.asked.first { $0.url.hasSuffix("/key") }).headers
        #expect(headers.first { $0.name == "CMCD-Object" }?.value == "ot=k")
    }

    @Test func `an initialization vector in the playlist is used`() throws {
        let text = playlist("#EXT-X-KEY:METHOD=AES-128,URI=\"key\",IV=0x0102")
        let (rig, _) = try play(text, vector: { _ in Self.bigEndian(0x0102) })
        #expect(rig.session.isFinished)
    }

    @Test func `the platform may refuse them`() throws {
        let text = playlist("#EXT-X-KEY:METHOD=AES-128,URI=\"key\"")
        let (rig, _) = try play(text, ["encryption": "refused"], vector: Self.bigEndian)
        #expect(rig.session.isFailed)
        #expect(rig.item?.error?.message.contains("which the platform refuses") == true)
        #expect(!rig.paths.contains("key"))
    }

    @Test(arguments: [
        ("METHOD=AES-128,URI=\"key\",KEYFORMAT=\"com.apple.streamingkeydelivery\"", "not supported"),
        ("METHOD=SAMPLE-AES-CTR,URI=\"key\"", "not supported"),
        ("METHOD=AES-128,URI=\"key\",IV=0x0112233445566778899aabbccddeeff001", "not a 128-bit initialization vector"),
        ("METHOD=AES-128,URI=\"gone\"", "HTTP 404"),
    ])
    func `media that cannot be decrypted fail with an entry in the error log`(attributes: String, reason: String) throws
    {
        let (rig, _) = try play(playlist("#EXT-X-KEY:\(attributes)"), ["retries": "0"], vector: Self.bigEndian)
        #expect(rig.session.isFailed)
        #expect(rig.item?.error?.message.contains(reason) == true, "\(String(describing: rig.item?.error))")
        #expect(rig.item?.journal.errors.isEmpty == false)
    }

    @Test func `a wrong key and an invalid key fail the item`() throws {
        let text = playlist("#EXT-X-KEY:METHOD=AES-128,URI=\"key\"")
        let wrong = try play(text, vector: Self.bigEndian, keyAnswer: (200, Array(repeating: 9, count: 16)))
        #expect(wrong.rig.session.isFailed)
        let short = try play(text, vector: Self.bigEndian, keyAnswer: (200, Array("<html>".utf8)))
        #expect(short.rig.session.isFailed)
        #expect(short.rig.item?.error?.message.contains("6 bytes, not 16") == true)
    }

    /// Plays segments after an encrypted initialization section.
    private func playInitialized(_ vector: String) throws -> (rig: Rig, delivered: [DeliveredResource]) {
        let start = TransportStream.segment(hasVideo: true, hasAudio: true, size: 400, hasMedia: false)
        let text = playlist("#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\(vector)\n#EXT-X-MAP:URI=\"start\"")
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: []) { request in
            let path = request.url.replacing("http://origin/", with: "")
            if path == "index.m3u8" { return (200, Array(text.utf8)) }
            if path == "key" { return (200, self.key) }
            let bytes = Int(path.dropLast(3)).map(self.media) ?? start
            return (200, (try? BlockCipher.encrypt(bytes, key: self.key, vector: Self.bigEndian(7))) ?? [])
        }
        var delivered: [DeliveredResource] = []
        rig.runner.delivered = { resource, _ in delivered.append(resource) }
        rig.plan(.open([ItemAddress(full: "http://origin/index.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        return (rig, delivered)
    }

    @Test func `an initialization section is decrypted with the key in force at its tag`() throws {
        let (rig, delivered) = try playInitialized(",IV=0x7")
        #expect(rig.session.isFinished)
        #expect(rig.paths.prefix(4) == ["index.m3u8", "key", "start", "0.ts"])
        let start = TransportStream.segment(hasVideo: true, hasAudio: true, size: 400, hasMedia: false)
        #expect(delivered.first { $0.kind == .map }?.bytes == start)
        let without = try playInitialized("").rig
        #expect(without.session.isFailed)
        #expect(without.item?.error?.message.contains("has no initialization vector") == true)
    }

    @Test func `only the latest keys of an endless stream are kept`() throws {
        let key = self.key
        let count = Keyring.mostKeys + 1
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
            + (0..<count).map { "#EXT-X-KEY:METHOD=AES-128,URI=\"\($0).key\",IV=0x7\n#EXTINF:1,\n\($0).ts\n" }.joined()
            + "#EXT-X-ENDLIST\n"
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: []) { request in
            if request.url.hasSuffix(".m3u8") { return (200, Array(text.utf8)) }
            if request.url.hasSuffix(".key") { return (200, key) }
            return (200, (try? BlockCipher.encrypt(self.media(0), key: key, vector: Self.bigEndian(7))) ?? [])
        }
        rig.plan(.open([ItemAddress(full: "http://origin/index.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero), at: Double(count) - 2)
        rig.runner.run(until: Instant(seconds: Double(count) + 10))
        // The first key is requested again, the second one is still cached.
        #expect(rig.paths.count { $0 == "0.key" } == 2)
        #expect(rig.paths.count { $0 == "\(count - 1).key" } == 1)
    }

    @Test func `encrypted samples play when their key has arrived`() throws {
        let text = playlist("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"key\"")
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: []) { request in
            if request.url.hasSuffix(".m3u8") { return (200, Array(text.utf8)) }
            if request.url.hasSuffix("/key") { return (200, self.key) }
            return (200, self.media(0))
        }
        rig.plan(.open([ItemAddress(full: "http://origin/index.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.paths.prefix(3) == ["index.m3u8", "key", "0.ts"])
    }

    @Test func `a session key arrives before the media need it`() throws {
        let media = playlist("#EXT-X-KEY:METHOD=AES-128,URI=\"key\",IV=0x00")
        let master =
            "#EXTM3U\n#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"key\"\n"
            + "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=200000\nmedia.m3u8\n"
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: []) { request in
            let path = request.url.replacing("http://origin/", with: "")
            if path == "index.m3u8" { return (200, Array(master.utf8)) }
            if path == "media.m3u8" { return (200, Array(media.utf8)) }
            if path == "key" { return (200, self.key) }
            guard let number = Int(path.dropLast(3)) else { return (404, []) }
            let zero = [UInt8](repeating: 0, count: 16)
            return (200, (try? BlockCipher.encrypt(self.media(number), key: self.key, vector: zero)) ?? [])
        }
        rig.plan(.open([ItemAddress(full: "http://origin/index.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        #expect(rig.session.isFinished)
        var begun: [String: Instant] = [:]
        for event in rig.runner.log.events {
            if case .requestBegan(_, let url, _) = event.kind { begun[url] = event.at }
        }
        #expect(begun["http://origin/key"] == begun["http://origin/media.m3u8"], "beside it, not after it")
        #expect(rig.paths.filter { $0 == "key" }.count == 1)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(24))
    }
}
