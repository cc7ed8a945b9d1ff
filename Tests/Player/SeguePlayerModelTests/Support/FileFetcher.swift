import SegueBase
import SegueEvents
import SegueFetch

@testable import SeguePlayerModel

/// Serves files from memory over a link, in pieces as they arrive, with ranges or without.
final class FileFetcher: Fetching {
    /// The behavior of the server for a file.
    struct File {
        var bytes: [UInt8]
        var takesRanges = true
        var announcesLength = true
        var headers: [(name: String, value: String)] = []
        /// The numbers of bytes after which responses end early, one for each.
        var breaks: [Int] = []
        /// The number of bytes in a piece.
        var step: Int64 = 16384
        /// The maximum length of a range.
        var longestRange = Int64.max
    }

    let loop: EventLoop<SessionInput>
    var files: [String: File]
    private let line: Line
    private(set) var asked: [FetchRequest] = []
    private(set) var cancelled: [FetchID] = []
    private(set) var sent = 0
    /// Called before a request is answered.
    var willAnswer: (FetchRequest, inout File) -> Void = { _, _ in }
    private var planned: [FetchID: [EventQueue<SessionInput>.Token]] = [:]

    init(loop: EventLoop<SessionInput>, line: Line, files: [String: File]) {
        (self.loop, self.line, self.files) = (loop, line, files)
    }

    func start(_ request: FetchRequest, at now: Instant) {
        asked.append(request)
        let name = String(request.url.dropFirst("http://origin/".count))
        guard var file = files[name] else {
            let head = FetchResponse(status: 404, headers: [], url: request.url, serverAddress: "")
            planned[request.id] = [
                plan(.response(request.id, head), at: now + line.delay * 2),
                plan(.data(request.id, FetchBytes(Array("gone".utf8))), at: now + line.delay * 2),
                plan(.finished(request.id), at: now + line.delay * 2),
            ]
            return
        }
        willAnswer(request, &file)
        files[name] = file
        answer(request, file, name, at: now)
    }

    private func answer(_ request: FetchRequest, _ file: File, _ name: String, at now: Instant) {
        let total = Int64(file.bytes.count)
        let range =
            file.takesRanges
            ? request.range.map { FetchRange(offset: $0.offset, length: min($0.length, file.longestRange)) } : nil
        let start = range?.offset ?? 0
        var headers = file.headers
        if let range { headers.append(("content-range", "bytes \(start)-\(start + range.length - 1)/\(total)")) }
        if range == nil, file.announcesLength { headers.append(("content-length", "\(total)")) }
        if file.takesRanges { headers.append(("accept-ranges", "bytes")) }
        var end = min(total, range.map { $0.offset + $0.length } ?? total)
        var ending = FetchEvent.finished(request.id)
        if let most = file.breaks.first {
            files[name]?.breaks.removeFirst()
            if start + Int64(most) < end {
                end = start + Int64(most)
                ending = .failed(request.id, FetchError(.truncated, "the connection ended: \(request.url)"))
            }
        }
        let head = FetchResponse(
            status: range == nil ? 200 : 206,
            headers: headers,
            url: request.url,
            serverAddress: ""
        )
        var tokens = [plan(.response(request.id, head), at: now + line.delay * 2)]
        var (place, at) = (start, now + line.delay * 2)
        while place < end {
            let next = min(end, place + file.step)
            at = at + .nanoseconds(Int64(Double(next - place) * 8 / line.bitsPerSecond * 1e9))
            tokens.append(plan(.data(request.id, FetchBytes(Array(file.bytes[Int(place)..<Int(next)]))), at: at))
            place = next
        }
        tokens.append(plan(ending, at: at))
        planned[request.id] = tokens
    }

    func cancel(_ id: FetchID, at now: Instant) {
        cancelled.append(id)
        planned.removeValue(forKey: id)?.forEach(loop.cancel)
    }

    private func plan(_ event: FetchEvent, at instant: Instant) -> EventQueue<SessionInput>.Token {
        loop.schedule(.fetch(event), at: instant, priority: .arrival)
    }
}

/// A session that plays files from memory.
final class FileRig {
    let loop = EventLoop<SessionInput>(pace: .virtual)
    let fetcher: FileFetcher
    let runner: SessionRunner<SessionInput>
    private(set) var delivered: [DeliveredResource] = []

    init(
        _ files: [String: FileFetcher.File],
        line: Line = .wifi,
        platform: String = "desktop",
        _ changes: [String: String] = [:]
    ) throws {
        fetcher = FileFetcher(loop: loop, line: line, files: files)
        runner = SessionRunner(
            session: PlaybackSession(platform: try Shipped.platform(platform, changes)),
            loop: loop,
            fetcher: fetcher
        )
        runner.delivered = { [unowned self] resource, _ in delivered.append(resource) }
    }

    /// Plays one file, with other commands at seconds since the run began.
    func play(_ name: String, _ commands: [(at: Double, SessionCommand)] = [], until limit: Instant? = nil) {
        loop.schedule(.command(.open([ItemAddress(full: "http://origin/\(name)")])), at: .zero, priority: .settled)
        loop.schedule(.command(.play), at: .zero, priority: .settled)
        for (at, command) in commands {
            loop.schedule(.command(command), at: Instant(seconds: at), priority: .settled)
        }
        runner.run(until: limit)
    }

    var session: PlaybackSession { runner.session }
    var trail: AudioTrail { session.player.trail }
    var kinds: [EventKind] { runner.log.events.map(\.kind) }
    var errors: [String] {
        kinds.compactMap { if case .errorLogEntry(_, _, _, _, _, let comment) = $0 { comment } else { nil } }
    }
    var states: [String] {
        kinds.compactMap { kind in
            guard case .streamState(_, let state, let reason) = kind else { return nil }
            return reason == "none" ? state : "\(state)/\(reason)"
        }
    }
    /// The delivered bytes, in order of position.
    var bytes: [UInt8] {
        var all: [UInt8] = []
        for part in delivered.sorted(by: { ($0.range?.offset ?? 0) < ($1.range?.offset ?? 0) }) where part.kind == .part
        {
            let missing = all.count - Int(part.range?.offset ?? 0)
            guard missing >= 0, missing < part.bytes.count else { continue }
            all += part.bytes.dropFirst(missing)
        }
        return all
    }
}

/// Generates small media files.
enum MediaBytes {
    /// One frame of MPEG-1 layer 3 at 128 kbit/s and 44.1 kHz: 417 bytes, 1152 samples.
    static let mp3Frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + Array(repeating: 0, count: 413)

    static func mp3(seconds: Double) -> [UInt8] {
        repeated(mp3Frame, Int((seconds * 44100 / 1152).rounded()))
    }

    /// Frames of ADTS AAC of 200 bytes at 44.1 kHz: 1024 samples each.
    static func aac(seconds: Double) -> [UInt8] {
        let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x19, 0x1F, 0xFC] + Array(repeating: 0, count: 193)
        return repeated(frame, Int((seconds * 44100 / 1024).rounded()))
    }

    private static func repeated(_ frame: [UInt8], _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes += frame }
        return bytes
    }

    /// PCM of 8 kHz, 16 bit, mono: 16,000 bytes per second.
    static func wav(seconds: Int) -> [UInt8] {
        let size = seconds * 16_000
        return Array("RIFF".utf8) + little(size + 36, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
            + little(1, 2) + little(8000, 4) + little(16_000, 4) + little(2, 2) + little(16, 2) + Array("data".utf8)
            + little(size, 4) + Array(repeating: 0, count: size)
    }

    /// A film with one video frame per second of `weight` bytes, every fifth a key frame, in chunks of one.
    static func mp4(seconds: Int, weight: Int = 20_000, isMovieLast: Bool = false) -> [UInt8] {
        let type = box("ftyp", Array("isom".utf8), big(0, 4))
        func movie(at offset: Int) -> [UInt8] {
            let table = box(
                "stbl",
                full("stsd", big(1, 4), box("avc1", [UInt8](repeating: 0, count: 78))),
                full("stts", big(1, 4), big(seconds, 4), big(1000, 4)),
                full("stsc", big(1, 4), big(1, 4), big(1, 4), big(1, 4)),
                full("stsz", big(weight, 4), big(seconds, 4)),
                full("stco", big(seconds, 4), (0..<seconds).flatMap { big(offset + $0 * weight, 4) }),
                full("stss", big((seconds + 4) / 5, 4), stride(from: 1, through: seconds, by: 5).flatMap { big($0, 4) })
            )
            let media = box(
                "mdia",
                full("mdhd", big(0, 8), big(1000, 4), big(seconds * 1000, 4), big(0x55C4, 2), big(0, 2)),
                full("hdlr", big(0, 4), Array("vide".utf8), big(0, 12)),
                box("minf", table)
            )
            return box(
                "moov",
                full("mvhd", big(0, 8), big(1000, 4), big(seconds * 1000, 4), big(0, 76)),
                box("trak", full("tkhd", big(0, 8), big(1, 4), big(0, 68)), media)
            )
        }
        let samples = box("mdat", [UInt8](repeating: 7, count: seconds * weight))
        if isMovieLast { return type + samples + movie(at: type.count + 8) }
        return type + movie(at: type.count + movie(at: 0).count + 8) + samples
    }

    private static func big(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }

    private static func little(_ value: Int, _ size: Int) -> [UInt8] { big(value, size).reversed() }

    private static func box(_ type: String, _ body: [UInt8]...) -> [UInt8] {
        let body = body.flatMap { $0 }
        return big(body.count + 8, 4) + Array(type.utf8) + body
    }

    private static func full(_ type: String, _ body: [UInt8]...) -> [UInt8] {
        box(type, big(0, 4), body.flatMap { $0 })
    }
}
