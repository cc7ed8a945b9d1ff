import Foundation
import HTTPTypes
import SegueBase
import SegueConcurrency
import SegueConformance
import SegueFFmpeg
import SegueOriginTestSupport
import SeguePackager
import SeguePlaylists
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueOrigin

/// A folder with a clock that stands still until the test advances it.
private struct ServedChannel {
    let served: ServedFolder
    let responder: Responder
    /// The time, in milliseconds since 1970.
    let time: Mutexed<Int64>
    /// The notices about omitted titles.
    let notes: Mutexed<[String]>

    init(begin: Int64 = 1_700_000_000_000) throws {
        served = try ServedFolder()
        let (time, notes) = (Mutexed(begin), Mutexed([String]()))
        responder = Responder(library: served.responder.library) {
            $0.now = { time.value }
            $0.note = { note in notes.withLock { $0.append(note) } }
        }
        (self.time, self.notes) = (time, notes)
    }

    func get(_ target: String, _ headers: HTTPFields = [:]) -> OriginResponse {
        responder.respond(to: OriginRequest(target: target, headers: headers))
    }

    /// The path of a URI in a playlist of the channel.
    func resolve(_ uri: String) -> String {
        String(URIReference.resolve(uri, against: "http://server/channel/index.m3u8").dropFirst("http://server".count))
    }

    func playlist(_ query: String = "?folder=films") throws -> MediaPlaylist {
        let answer = get("/channel/index.m3u8\(query)")
        guard answer.status == 200, case .media(let playlist) = try Playlist.parse(answer.text) else {
            throw Missing(description: "\(answer.status) \(answer.text)")
        }
        return playlist
    }

    struct Missing: Error, CustomStringConvertible { var description: String }
}

/// A value that is shared.
private final class Mutexed<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>
    init(_ value: Value) { mutex = Mutex(value) }
    var value: Value { mutex.withLock { $0 } }
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}

@Suite struct ChannelTests {
    private let channel: ServedChannel

    init() throws { channel = try ServedChannel() }

    @Test(arguments: ["?folder=films", "", "?folder=films&background=1"])
    func `every listed piece exists, and the parts form the segment`(query: String) throws {
        let playlist = try channel.playlist(query)
        #expect(!playlist.hasEndList && playlist.segments.count > 5 && playlist.preloadHints.count >= 1)
        for segment in playlist.segments where !segment.isGap {
            let map = try #require(segment.map)
            let initialization = channel.get(channel.resolve(map.uri))
            #expect(initialization.status == 200)
            let known = try SegmentInspector.inspect(initialization.bytes)
            let whole = channel.get(channel.resolve(segment.uri))
            #expect(whole.status == 200 && whole.headers[.cacheControl] == "public, max-age=96, immutable")
            let parts = segment.parts.map { channel.get(channel.resolve($0.uri)) }
            guard !parts.isEmpty else { continue }
            #expect(parts.flatMap(\.bytes) == whole.bytes)
            for (part, answer) in zip(segment.parts, parts) {
                let found = try SegmentInspector.inspect(answer.bytes, initialization: known)
                let track = try #require(found.tracks.first)
                let heard = try #require(track.duration)
                #expect(abs((heard - part.duration).seconds) <= 0.05, "\(part.uri)")
            }
        }
    }

    @Test func `a part is decodable, and the segment equals the item's`() throws {
        let playlist = try channel.playlist()
        let segment = try #require(playlist.segments.last { !$0.parts.isEmpty })
        let initialization = channel.get(channel.resolve(try #require(segment.map).uri)).bytes
        for uri in [segment.uri] + segment.parts.filter(\.isIndependent).map(\.uri) {
            let bytes = initialization + channel.get(channel.resolve(uri)).bytes
            let input = try MediaInput(bytes: bytes, name: uri, format: "mp4")
            let packet = Packet()
            var counts: [Int: Int] = [:]
            while try input.read(into: packet) { counts[packet.streamIndex, default: 0] += 1 }
            #expect(!counts.isEmpty)
        }
    }

    @Test func `the items' own segments are unchanged`() throws {
        let item = try channel.served.item("films/film.mp4")
        let presentation = try channel.responder.presentation(of: item, for: .any, cancellation: Cancellation())
        let own = try presentation.segment(0, of: .full, in: .fmp4, cancellation: Cancellation())
        _ = try channel.playlist()
        let path = "/items/\(item.id)/\(presentation.identity.tag)/full.fmp4/0.m4s"
        #expect(channel.get(path).bytes == own)
    }

    @Test func `a reload blocks until its part is available`() throws {
        let playlist = try channel.playlist()
        let (sequence, part) = (playlist.nextSequence, playlist.openParts.count)
        let target = "/channel/index.m3u8?folder=films&_HLS_msn=\(sequence)&_HLS_part=\(part)"
        let held = channel.get(target)
        let time = try #require(held.blockedUntil)
        #expect(held.status == 503 && time > channel.time.value && time <= channel.time.value + 500)
        let hint = try #require(playlist.preloadHints.first { $0.kind == .part }?.uri)
        #expect(channel.get(channel.resolve(hint)).blockedUntil == time)
        channel.time.withLock { $0 = time - 1 }
        #expect(channel.get(target).blockedUntil == time)
        channel.time.withLock { $0 = time }
        let answer = channel.get(target)
        #expect(answer.status == 200 && answer.blockedUntil == nil)
        #expect(answer.headers[.cacheControl] == "public, max-age=36")
        guard case .media(let next) = try Playlist.parse(answer.text) else {
            Issue.record("no media playlist")
            return
        }
        let last = next.openParts.last?.uri ?? next.segments.last?.parts.last?.uri
        #expect(last == hint)
        #expect(channel.get(channel.resolve(hint)).status == 200)
    }

    @Test(arguments: [
        "_HLS_msn=99999999999999999999", "_HLS_msn=-1", "_HLS_msn=x", "_HLS_msn=", "_HLS_part=1",
        "_HLS_msn=9007199254740992", "_HLS_msn=1&_HLS_part=-1", "_HLS_msn=1&_HLS_msn=2", "background=maybe",
    ])
    func `invalid requests are rejected`(query: String) {
        let answer = channel.get("/channel/index.m3u8?folder=films&\(query)")
        #expect(answer.status == 400 && answer.code == "badQuery")
    }

    @Test func `unavailable pieces are not found`() throws {
        let playlist = try channel.playlist()
        let uri = try #require(playlist.segments.last).uri
        let path = channel.resolve(uri)
        let number = "\(playlist.nextSequence - 1).m4s"
        for other in [
            "\(playlist.nextSequence).m4s", "\(playlist.nextSequence + 1).0.m4s", "3.m4s", "9223372036854775807.m4s",
        ] {
            #expect(channel.get(path.replacing(number, with: other)).status == 404, "\(other)")
        }
        #expect(channel.get(path.replacing(number, with: "\(playlist.nextSequence - 1).99.m4s")).status == 404)
        #expect(channel.get("/channel/0000/full/\(number)?folder=films").status == 404)
        #expect(channel.get(path).status == 200)
        channel.time.withLock { $0 += 60_000 }
        #expect(channel.get(path).status == 200)
        channel.time.withLock { $0 += 60_000 }
        #expect(channel.get(path).status == 404)
    }

    @Test func `another server has the same playlist at the same time`() throws {
        let other = Responder(library: channel.served.responder.library) {
            $0.now = { [time = channel.time] in time.value }
        }
        for step: Int64 in [0, 700, 5_900, 86_400_000, 31_536_000_000] {
            channel.time.withLock { $0 = 1_700_000_000_000 + step }
            let target = "/channel/index.m3u8?folder=films"
            let (one, two) = (channel.get(target), other.respond(to: OriginRequest(target: target)))
            #expect(one.text == two.text && one.headers[.eTag] == two.headers[.eTag] && one.status == 200)
        }
    }

    @Test func `unplayable titles are left out with a notice, without those of other folders`() throws {
        _ = try channel.playlist("")
        let notes = channel.notes.value
        #expect(notes.contains { $0.contains("films/words.mp4") } && notes.contains { $0.contains("empty.mkv") })
        #expect(channel.get("/channel/index.m3u8?folder=none").status == 422)
        var request = OriginRequest(target: "/channel/index.m3u8?folder=films")
        request.visitor = Visitor(identity: "ben", folders: ["music"])
        #expect(channel.responder.respond(to: request).status == 422)
    }

    @Test func `a removed title does not change the numbers`() throws {
        let before = try channel.playlist()
        try FileManager.default.removeItem(atPath: channel.served.folder.file("films/film.mp4"))
        let after = try channel.playlist()
        #expect(after == before)
        let answers = after.segments.map { channel.get(channel.resolve($0.uri)).status }
        #expect(Set(answers) == [200, 404])
        // A request on another day, before and after the current title.
        channel.served.responder.library.rescan()
        channel.time.withLock { $0 += 86_400_000 }
        let sequence = try channel.playlist().nextSequence
        channel.time.withLock { $0 += 100_000 }
        let later = try channel.playlist()
        #expect(later.mediaSequence > sequence)
        #expect(later.segments.allSatisfy { channel.get(channel.resolve($0.uri)).status == 200 })
    }

    @Test func `the multivariant playlist has variants with video and with audio only`() throws {
        let answer = channel.get("/channel/master.m3u8?folder=films")
        guard case .multivariant(let playlist) = try Playlist.parse(answer.text) else {
            Issue.record("no multivariant playlist: \(answer.text)")
            return
        }
        #expect(playlist.variants.map(\.uri) == ["index.m3u8?folder=films", "index.m3u8?folder=films&background=1"])
        #expect(playlist.variants[0].resolution != nil && playlist.variants[1].resolution == nil)
        #expect(playlist.variants[0].bandwidth > playlist.variants[1].bandwidth)
        let reports = try channel.playlist().renditionReports
        #expect(reports.map(\.uri) == ["index.m3u8?folder=films&background=1"])
    }

    @Test(arguments: ["?folder=films", "", "?folder=films&background=1"])
    func `its playlists and segments conform to the rules`(query: String) throws {
        for step: Int64 in [0, 3_300, 7_777] {
            channel.time.withLock { $0 = 1_700_000_000_000 + step }
            let answer = channel.get("/channel/index.m3u8\(query)")
            let subject = try subject(answer, isAudioOnly: query.contains("background"))
            let found = Validator.findings(subject).filter { $0.rule.severity(in: .all) == .must }
            #expect(found.isEmpty, "\(found)")
        }
    }

    /// A playlist of the channel with everything it lists.
    private func subject(_ answer: OriginResponse, isAudioOnly: Bool) throws -> MediaSubject {
        let document = PlaylistDocument(url: "http://server/channel/index.m3u8", bytes: answer.bytes)
        guard case .media(let playlist)? = document.playlist else {
            throw ServedChannel.Missing(description: "no media playlist: \(answer.text)")
        }
        var initializations: [String: InitializationFacts] = [:]
        var segments: [SegmentFacts] = []
        for (number, segment) in playlist.segments.enumerated() where !segment.isGap {
            let uri = try #require(segment.map).uri
            if initializations[uri] == nil {
                let bytes = channel.get(channel.resolve(uri)).bytes
                initializations[uri] = .inspecting(bytes, url: "http://server" + channel.resolve(uri))
            }
            let path = channel.resolve(segment.uri)
            segments.append(
                .inspecting(
                    channel.get(path).bytes,
                    number: number,
                    url: "http://server" + path,
                    initialization: initializations[uri]
                )
            )
        }
        return MediaSubject(
            document: document,
            segments: segments,
            initializations: initializations.values.sorted { $0.url < $1.url },
            isAudioOnly: isAudioOnly
        )
    }
}
