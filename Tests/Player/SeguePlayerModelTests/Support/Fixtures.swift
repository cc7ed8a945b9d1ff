import Foundation
import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// Data files of the repository, for tests.
enum Shipped {
    static func path(_ path: String) -> String {
        let root = Checkout.root
        return root.appendingPathComponent("Harness/\(path)").path
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOfFile: Shipped.path(path), encoding: .utf8)
    }

    /// A platform with some changed fields.
    static func platform(_ name: String, _ changes: [String: String] = [:]) throws -> PlatformProfile {
        // The desktop's file has every key.
        var section = ""
        var sections: [String: [String]] = [:]
        for line in try text("platforms/desktop.yaml").split(separator: "\n") {
            if !line.hasPrefix(" "), !line.hasPrefix("#") { section = String(line.prefix { $0 != ":" }) }
            let key = line.drop { $0 == " " }.prefix { $0 != ":" }
            guard line.hasPrefix("  "), let value = changes[String(key)] else { continue }
            sections[section, default: []].append("  \(key): { value: \(value), source: a test }")
        }
        try #require(sections.values.joined().count == changes.count, "an unknown key among \(changes.keys)")
        let text = sections.reduce("name: \(name)\nbased-on: \(name)\n") { text, section in
            text + "\(section.key):\n" + section.value.map { $0 + "\n" }.joined()
        }
        return try PlatformProfile(yaml: text, file: Shipped.path("platforms/a-test.yaml"))
    }

    /// A policy with some changed fields; the key of a field in a section is `section.key`.
    static func app(_ name: String, _ changes: [String: String] = [:]) throws -> AppProfile {
        let sections = Dictionary(grouping: changes) { $0.key.contains(".") ? String($0.key.prefix { $0 != "." }) : "" }
        let text = sections.reduce("name: \(name)\nbased-on: \(name)\n") { text, section in
            let fields = section.value.map { change in
                let key = change.key.drop { $0 != "." }.dropFirst()
                return "\(key.isEmpty ? change.key : "  \(key)"): { value: \(change.value), source: a test }\n"
            }
            return text + (section.key.isEmpty ? "" : section.key + ":\n") + fields.joined()
        }
        return try AppProfile(yaml: text, file: Shipped.path("apps/a-test.yaml"))
    }

    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Shipped.path(folder))
            .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }
}

/// A link with a delay in each direction and a rate, one request at a time and without losses.
struct Line {
    var delay: Duration
    var bitsPerSecond: Double

    static let wifi = Line(delay: .milliseconds(1), bitsPerSecond: 40_000_000)
    static let slow = Line(delay: .milliseconds(100), bitsPerSecond: 780_000)

    func duration(of bytes: Int) -> Duration {
        delay * 2 + .nanoseconds(Int64(Double(bytes) * 8 / bitsPerSecond * 1e9))
    }
}

/// Answers requests from memory over a link; the second request waits for the first.
final class MemoryFetcher: Fetching {
    typealias Answer = (status: Int, bytes: [UInt8])

    let loop: EventLoop<SessionInput>
    var line: Line
    var answer: (FetchRequest) -> Answer?
    /// The number of pieces of a body.
    var pieces = 1
    /// Requests that never get a response.
    var isSilent: (FetchRequest) -> Bool = { _ in false }
    /// The delay between single bytes of a body; nil for none.
    var trickle: (FetchRequest) -> Duration? = { _ in nil }
    /// The delay of a request at the server, without occupying the link.
    var hold: (FetchRequest) -> Duration = { _ in .zero }
    /// Additional header fields of responses.
    var moreHeaders: (FetchRequest) -> [(name: String, value: String)] = { _ in [] }
    /// The targets of redirects.
    var movedTo: (String) -> String = { $0 }
    private(set) var asked: [FetchRequest] = []
    private var planned: [FetchID: [EventQueue<SessionInput>.Token]] = [:]
    private var freeAt = Instant.zero

    init(loop: EventLoop<SessionInput>, line: Line, answer: @escaping (FetchRequest) -> Answer?) {
        self.loop = loop
        self.line = line
        self.answer = answer
    }

    func start(_ request: FetchRequest, at now: Instant) {
        asked.append(request)
        guard !isSilent(request) else { return }
        guard let answer = answer(request) else {
            let error = FetchError(.connectionLost, "no answer: \(request.url)")
            planned[request.id] = [plan(.failed(request.id, error), at: now + line.delay)]
            return
        }
        let length = (name: "content-length", value: "\(answer.bytes.count)")
        let headers = [length] + moreHeaders(request)
        let url = movedTo(request.url)
        let head = FetchResponse(status: answer.status, headers: headers, url: url, serverAddress: "memory:80")
        let held = hold(request)
        let begin = max(now, freeAt) + held
        let end = begin + line.duration(of: answer.bytes.count)
        if held == .zero { freeAt = end }
        let first = begin + line.delay * 2
        if let pause = trickle(request) {
            planned[request.id] =
                [plan(.response(request.id, head), at: first)]
                + answer.bytes.prefix(1000).enumerated().map { number, byte in
                    plan(.data(request.id, FetchBytes([byte])), at: first + pause * (number + 1))
                }
            return
        }
        guard answer.bytes.count <= request.limit else {
            let error = FetchError(.tooLarge, "more than the \(request.limit) bytes allowed: \(request.url)")
            planned[request.id] = [plan(.failed(request.id, error), at: first)]
            return
        }
        var plans = [plan(.response(request.id, head), at: first)]
        let size = answer.bytes.count
        for piece in 0..<pieces {
            let part = Array(answer.bytes[size * piece / pieces..<size * (piece + 1) / pieces])
            plans.append(plan(.data(request.id, FetchBytes(part)), at: first + (end - first) * (piece + 1) / pieces))
        }
        planned[request.id] = plans + [plan(.finished(request.id), at: end)]
    }

    func cancel(_ id: FetchID, at now: Instant) {
        planned.removeValue(forKey: id)?.forEach(loop.cancel)
        freeAt = min(freeAt, now)
    }

    private func plan(_ event: FetchEvent, at instant: Instant) -> EventQueue<SessionInput>.Token {
        loop.schedule(.fetch(event), at: instant, priority: .arrival)
    }
}

/// Segments and playlists of items that exist only in memory.
struct Title {
    var name: String
    var duration: Double
    var segmentDuration = 6.0
    var hasVideo = true
    var hasAudio = true
    /// Bytes per second of the full and the background rendition.
    var weight = (full: 60_000, background: 16_000)

    var address: ItemAddress {
        ItemAddress(full: "http://origin/\(name)/full.m3u8", background: "http://origin/\(name)/background.m3u8")
    }

    private var durations: [Double] {
        var rest = duration
        var all: [Double] = []
        while rest > 1e-9 {
            all.append(min(rest, segmentDuration))
            rest -= segmentDuration
        }
        return all
    }

    func answer(_ path: String) -> MemoryFetcher.Answer? {
        let parts = path.split(separator: "/")
        guard parts.count >= 2, parts[0] == name else { return nil }
        if parts[1] == "full.m3u8" || parts[1] == "background.m3u8" {
            let folder = parts[1].dropLast(5)
            var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(Int(segmentDuration.rounded(.up)))\n"
            text += "#EXT-X-PLAYLIST-TYPE:VOD\n"
            for (number, duration) in durations.enumerated() {
                text += "#EXTINF:\(duration),\n\(folder)/\(number).ts\n"
            }
            return (200, Array((text + "#EXT-X-ENDLIST\n").utf8))
        }
        guard parts.count == 3, let number = Int(parts[2].dropLast(3)), durations.indices.contains(number) else {
            return (404, Array("no such segment".utf8))
        }
        let isFull = parts[1] == "full"
        let size = Int(durations[number] * Double(isFull ? weight.full : weight.background))
        return (200, TransportStream.segment(hasVideo: hasVideo && isFull, hasAudio: hasAudio, size: size))
    }
}

/// A session on a virtual loop with an origin in memory.
final class Rig {
    let loop = EventLoop<SessionInput>(pace: .virtual)
    let fetcher: MemoryFetcher
    let runner: SessionRunner<SessionInput>

    init(
        platform: PlatformProfile,
        app: AppProfile? = nil,
        line: Line = .wifi,
        seed: UInt64 = 1,
        titles: [Title],
        instead: @escaping (FetchRequest) -> MemoryFetcher.Answer? = { _ in nil }
    ) {
        fetcher = MemoryFetcher(loop: loop, line: line) { request in
            if let other = instead(request) { return other }
            let path = request.url.replacingOccurrences(of: "http://origin/", with: "")
            return titles.lazy.compactMap { $0.answer(path) }.first ?? (404, [])
        }
        runner = SessionRunner(
            session: PlaybackSession(platform: platform, app: app, seed: seed),
            loop: loop,
            fetcher: fetcher
        )
    }

    /// Plans a command at a number of seconds since the run began.
    func plan(_ command: SessionCommand, at seconds: Double) {
        loop.schedule(.command(command), at: Instant(seconds: seconds), priority: .settled)
    }

    var session: PlaybackSession { runner.session }
    var trail: AudioTrail { runner.session.player.trail }
    var kinds: [EventKind] { runner.log.events.map(\.kind) }

    /// Returns the time of the first matching event.
    func first(_ isMeant: (EventKind) -> Bool) -> Instant? { runner.log.events.first { isMeant($0.kind) }?.at }
}
