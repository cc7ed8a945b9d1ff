import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Files on platforms that require byte ranges` {
    private let film = MediaBytes.mp4(seconds: 60)

    private func play(_ name: String, _ file: FileFetcher.File) throws -> FileRig {
        let rig = try FileRig([name: file], platform: "ios-15")
        rig.play(name, until: Instant(seconds: 120))
        return rig
    }

    private func failure(_ rig: FileRig) -> PlaybackError? {
        rig.kinds.compactMap { kind -> PlaybackError? in
            guard case .itemFailed(_, let domain, let code, let message) = kind else { return nil }
            return PlaybackError.Domain(rawValue: domain).map { PlaybackError($0, code: code, message) }
        }.last
    }

    @Test func `the first request is for two bytes, and the next one for the whole file by range`() throws {
        for isMovieLast in [false, true] {
            let file = MediaBytes.mp4(seconds: 60, isMovieLast: isMovieLast)
            let rig = try play("a.mp4", .init(bytes: file))
            let ranges = rig.fetcher.asked.map(\.range)
            #expect(ranges.first == FetchRange(offset: 0, length: 2))
            #expect(ranges.dropFirst().first == FetchRange(offset: 0, length: Int64(file.count)))
            #expect(rig.trail.played(at: rig.loop.now) == .seconds(60))
            #expect(rig.errors.isEmpty, "\(rig.errors)")
            #expect(rig.bytes.elementsEqual(file.prefix(rig.bytes.count)))
        }
    }

    @Test(arguments: [("a.mp4", MediaBytes.mp4(seconds: 60)), ("a.wav", MediaBytes.wav(seconds: 60))])
    func `a server without ranges is not correctly configured`(name: String, file: [UInt8]) throws {
        let rig = try play(name, .init(bytes: file, takesRanges: false))
        let error = try #require(failure(rig))
        #expect(error.domain == .avFoundation && error.code == -11850, "\(error)")
        #expect(error.message.contains("The server is not correctly configured"))
        #expect(rig.fetcher.asked.count == 1 && rig.fetcher.cancelled.count == 1)
        #expect(rig.trail.played(at: rig.loop.now) == .zero)
    }

    @Test func `a server without ranges and without a length fails with another code`() throws {
        let rig = try play("a.mp4", .init(bytes: film, takesRanges: false, announcesLength: false))
        let error = try #require(failure(rig))
        #expect(error.domain == .coreMedia && error.code == -12939)
        #expect(error.message.contains("byte range and no content length - error code is 200"))
    }

    @Test func `a server that cuts ranges short fails with both lengths`() throws {
        let rig = try play("a.mp4", .init(bytes: film, longestRange: 100_000))
        let error = try #require(failure(rig))
        #expect(error.domain == .coreMedia && error.code == -12939)
        let lengths = "should be start 0 length \(film.count) is start 0 length 100000"
        #expect(error.message.contains("content range mismatch - \(lengths)"), "\(error)")
    }

    @Test func `audio frames play from a server without ranges`() throws {
        for announcesLength in [true, false] {
            let rig = try play(
                "a.mp3",
                .init(bytes: MediaBytes.mp3(seconds: 60), takesRanges: false, announcesLength: announcesLength)
            )
            #expect(abs(rig.trail.heard(at: rig.loop.now).seconds - 60) < 0.1, "\(rig.errors)")
        }
    }

    @Test func `internet radio plays`() throws {
        let rig = try play(
            "live",
            .init(
                bytes: MediaBytes.mp3(seconds: 30),
                takesRanges: false,
                announcesLength: false,
                headers: [("icy-name", "x")]
            )
        )
        #expect(rig.fetcher.asked.first?.headers.contains { $0 == ("Icy-MetaData", "1") } ?? false)
        #expect(rig.trail.heard(at: rig.loop.now) > .seconds(29))
    }

    @Test func `a playlist without the extension is requested again in whole`() throws {
        let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:60\n#EXTINF:60,\nhttp://origin/a.aac\n#EXT-X-ENDLIST\n"
        for headers in [[], [(name: "content-type", value: "application/vnd.apple.mpegurl")]] {
            let files = [
                "show": FileFetcher.File(bytes: Array(playlist.utf8), headers: headers),
                "a.aac": .init(bytes: MediaBytes.aac(seconds: 60)),
            ]
            let rig = try FileRig(files, platform: "ios-15")
            rig.play("show", until: Instant(seconds: 120))
            let asked = rig.fetcher.asked.filter { $0.url.hasSuffix("show") }.map(\.range)
            #expect(asked == [FetchRange(offset: 0, length: 2), nil])
            #expect(abs(rig.trail.heard(at: rig.loop.now).seconds - 60) < 0.1, "\(rig.errors)")
        }
    }

    @Test func `other players play what servers without ranges send`() throws {
        let rig = try FileRig(["a.mp4": .init(bytes: film, takesRanges: false)])
        rig.play("a.mp4")
        #expect(rig.fetcher.asked.map(\.range).first == .some(nil))
        #expect(rig.trail.played(at: rig.loop.now) == .seconds(60))
    }
}
