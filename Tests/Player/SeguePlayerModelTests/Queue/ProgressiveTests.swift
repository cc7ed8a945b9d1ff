import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Progressive items` {
    @Test(arguments: [
        ("a.mp3", MediaBytes.mp3(seconds: 60), 60.0, false), ("a.aac", MediaBytes.aac(seconds: 60), 60.0, false),
        ("a.wav", MediaBytes.wav(seconds: 60), 60.0, false), ("a.mp4", MediaBytes.mp4(seconds: 60), 60.0, true),
        ("b.mp4", MediaBytes.mp4(seconds: 60, isMovieLast: true), 60.0, true),
    ])
    func `a file plays to its end, and all of it is delivered`(
        name: String,
        file: [UInt8],
        seconds: Double,
        video: Bool
    ) throws {
        let rig = try FileRig([name: .init(bytes: file)])
        rig.play(name)
        #expect(rig.session.isFinished)
        #expect(rig.errors.isEmpty)
        #expect(abs(rig.trail.played(at: rig.loop.now).seconds - seconds) < 0.05)
        #expect(rig.kinds.contains(.itemTracksKnown(item: "item-1", hasVideo: video, hasAudio: !video)))
        #expect(rig.bytes.count >= file.count - 1000)
        #expect(rig.bytes.elementsEqual(file.prefix(rig.bytes.count)))
    }

    @Test func `loading pauses with enough buffered, and resumes with a range`() throws {
        let file = MediaBytes.wav(seconds: 200)
        let rig = try FileRig(["a.wav": .init(bytes: file, headers: [("etag", "\"1\"")])])
        rig.play("a.wav")
        #expect(rig.session.isFinished)
        #expect(rig.fetcher.cancelled.count == 1)
        let ranges = rig.fetcher.asked.dropFirst().compactMap(\.range)
        #expect(ranges.count == rig.fetcher.asked.count - 1 && ranges.count > 3)
        for (before, after) in zip(ranges, ranges.dropFirst()) {
            #expect(before.offset + before.length == after.offset)
        }
        #expect(rig.fetcher.asked.last?.headers.contains { $0 == ("If-Range", "\"1\"") } ?? false)
        // No more than the buffer limit and the data in flight are ahead of the playhead at any time.
        #expect(rig.kinds.contains(.bufferFull(item: "item-1", isFull: true)))
        #expect(rig.delivered.allSatisfy { $0.bytes.count < 512 << 10 })
    }

    @Test func `a server without ranges is read to the end at once`() throws {
        let file = MediaBytes.mp4(seconds: 300, isMovieLast: true)
        let rig = try FileRig(["a.mp4": .init(bytes: file, takesRanges: false, headers: [("accept-ranges", "none")])])
        rig.play("a.mp4")
        #expect(rig.session.isFinished)
        #expect(rig.fetcher.asked.count == 1)
        #expect(rig.trail.played(at: rig.loop.now) == .seconds(300))
    }

    @Test func `a movie box at the end is fetched with a range`() throws {
        let file = MediaBytes.mp4(seconds: 300, isMovieLast: true)
        let rig = try FileRig(["a.mp4": .init(bytes: file)], line: .slow)
        rig.play("a.mp4", until: Instant(seconds: 10))
        #expect(rig.fetcher.asked[1].range?.offset ?? 0 > 5_900_000)
        #expect(rig.session.duration == .seconds(300))
        #expect(rig.fetcher.asked[2].range?.offset == 24)
    }

    @Test func `a seek jumps to the key frame`() throws {
        let file = MediaBytes.mp4(seconds: 300)
        let rig = try FileRig(["a.mp4": .init(bytes: file)], line: .slow)
        rig.play(
            "a.mp4",
            [(5, .seek(to: .seconds(203), toleranceBefore: .zero, toleranceAfter: .zero))],
            until: Instant(seconds: 20)
        )
        let key = file.count - 100 * 20_000
        #expect(rig.fetcher.asked.compactMap(\.range?.offset).contains(Int64(key)))
        #expect(rig.kinds.contains(.seekEnded(item: "item-1", position: 203, isFinished: true)))
        #expect(rig.trail.runningSince != nil)
    }

    @Test func `an interrupted response continues where it broke off`() throws {
        let file = MediaBytes.wav(seconds: 30)
        let rig = try FileRig(["a.wav": .init(bytes: file, headers: [("etag", "\"1\"")], breaks: [100_000, 150_000])])
        rig.play("a.wav")
        #expect(rig.session.isFinished)
        #expect(rig.errors.count == 2)
        #expect(rig.fetcher.asked.compactMap(\.range?.offset) == [100_000, 250_000])
        #expect(rig.bytes == file)
    }

    @Test func `a file that changes on the server fails the item with the reason`() throws {
        let file = MediaBytes.wav(seconds: 30)
        let rig = try FileRig(["a.wav": .init(bytes: file, headers: [("etag", "\"1\"")], breaks: [100_000])])
        rig.fetcher.willAnswer = { request, file in if request.range != nil { file.headers = [("etag", "\"2\"")] } }
        rig.play("a.wav")
        #expect(rig.session.isFailed)
        #expect(rig.errors.last?.contains("changed on the server") ?? false)
        #expect(rig.trail.played(at: rig.loop.now).seconds > 5)
    }

    @Test func `a response with bytes other than those requested is refused`() throws {
        var served = ServedFile()
        let first = FetchResponse(status: 200, headers: [("content-length", "1000")], url: "u", serverAddress: "")
        #expect(try served.receive(first, askedFrom: nil) == 0)
        for range in ["bytes 0-9/1000", "bytes 10-19/999", "bytes */1000", "10-19", ""] {
            let other = FetchResponse(status: 206, headers: [("content-range", range)], url: "u", serverAddress: "")
            #expect(throws: PlaybackError.self) { try served.receive(other, askedFrom: 10) }
        }
        let right = FetchResponse(
            status: 206,
            headers: [("content-range", "bytes 10-19/1000")],
            url: "u",
            serverAddress: ""
        )
        #expect(try served.receive(right, askedFrom: 10) == 10)
        #expect(served.takesRanges == true)
        let whole = FetchResponse(status: 200, headers: [("content-length", "1000")], url: "u", serverAddress: "")
        #expect(try served.receive(whole, askedFrom: 10) == 0)
        #expect(served.takesRanges == false)
    }

    @Test func `a file shorter than announced plays to its end and then fails`() throws {
        let whole = MediaBytes.mp4(seconds: 60)
        let rig = try FileRig(["a.mp4": .init(bytes: Array(whole.dropLast(400_000)))])
        rig.play("a.mp4")
        #expect(rig.session.isFailed)
        #expect(abs(rig.trail.played(at: rig.loop.now).seconds - 40) < 1.1)
        #expect(rig.errors.last?.contains("ends at byte") ?? false)
    }

    @Test(arguments: [
        ("a", Array("<!DOCTYPE html><html></html>".utf8), "a web page"), ("a", [], "empty"),
        ("a", Array("OggS".utf8) + Array(repeating: 0, count: 40), "Ogg"),
        ("a", Array(repeating: 0x41, count: 400_000), "not MP4"),
        ("a", Array("\0\0\0\u{18}ftypisom".utf8) + Array(repeating: 0, count: 12), "moov"),
        ("a", Array(MediaBytes.mp4(seconds: 60, isMovieLast: true).dropLast(900)), "no movie box"),
    ])
    func `an unplayable file fails with the reason`(name: String, file: [UInt8], why: String) throws {
        let rig = try FileRig([name: .init(bytes: file)])
        rig.play(name)
        #expect(rig.session.isFailed)
        #expect(rig.errors.count == 1)
        #expect(rig.errors.last?.contains(why) ?? false, "\(rig.errors)")
    }

    @Test func `a missing file is a 404 in the error log`() throws {
        let rig = try FileRig([:])
        rig.play("a.mp4")
        #expect(rig.session.isFailed)
        #expect(rig.errors.last?.contains("HTTP 404") ?? false)
    }

    @Test func `a playlist without the extension is identified by its first line, byte by byte`() {
        for (text, kind) in [
            ("#EXTM3U\n", EntryAnswer.Kind.playlist), ("#EXTINF\n", .media), ("\u{FEFF}#EXTM3U", .playlist),
        ] {
            var entry = EntryAnswer(url: "http://origin/live?id=7")
            let head = FetchResponse(status: 200, headers: [("content-type", "text/plain")], url: "", serverAddress: "")
            #expect(entry.receive(.response(FetchID(1), head)) == nil)
            var found: EntryAnswer.Kind?
            for byte in Array(text.utf8) where found == nil {
                found = entry.receive(.data(FetchID(1), FetchBytes([byte])))
            }
            #expect(found == kind)
        }
        var entry = EntryAnswer(url: "http://origin/live?id=7")
        let typed = [("content-type", "Application/vnd.apple.mpegURL; charset=utf-8")]
        let head = FetchResponse(
            status: 200,
            headers: typed.map { (name: $0.0, value: $0.1) },
            url: "",
            serverAddress: ""
        )
        #expect(entry.receive(.response(FetchID(1), head)) == .playlist)
    }
}
