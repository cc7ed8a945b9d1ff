import SegueBase
import SegueEvents
import SegueFetch

@testable import SeguePlayerModel

/// A player that a test drives by hand: nothing arrives unless the test delivers it, and the media service allows
/// everything.
struct Bench {
    var player: QueuePlayer
    var now = Instant.zero
    private(set) var requests: [FetchRequest] = []
    /// The requests whose responses were read later.
    private(set) var read: [FetchID] = []
    /// The requests whose responses were no longer read.
    private(set) var stopped: [FetchID] = []
    private(set) var kinds: [EventKind] = []
    private(set) var notices: [PlayerNotice] = []

    init(_ platform: PlatformProfile) { player = QueuePlayer(profile: platform) }

    /// Performs a call of the player, and collects its effects.
    @discardableResult
    mutating func act<Result>(_ body: (inout QueuePlayer, Instant) -> Result) -> Result {
        let result = body(&player, now)
        while let request = player.drive.gate.requests.first {
            player.drive.gate.requests.removeFirst()
            player.allow(request.item, from: now, at: now)
        }
        player.settle(at: now)
        for effect in player.context.effects {
            switch effect {
            case .fetch(let request): requests.append(request)
            case .cancel(let id): requests.removeAll { $0.id == id }
            case .log(let kind): kinds.append(kind)
            case .read(let id): read.append(id)
            case .stopReading(let id): stopped.append(id)
            case .timer, .cancelTimer, .told, .delivered: break
            }
        }
        notices += player.context.notices
        player.context.effects = []
        player.context.notices = []
        return result
    }

    /// Inserts an item into the queue.
    @discardableResult
    mutating func insert(_ url: String, startingAt start: Duration? = nil) -> ItemID {
        act { player, now in
            let item = player.makeItem(url: url, startingAt: start)
            player.insert(item, at: now)
            return item.id
        }
    }

    /// Advances time.
    mutating func pass(_ duration: Duration) {
        now = now + duration
        act { $0.settle(at: $1) }
    }

    /// Begins a response, with some of its bytes.
    mutating func begin(_ request: FetchRequest, _ bytes: [UInt8], first count: Int) {
        let length = (name: "content-length", value: "\(bytes.count)")
        let head = FetchResponse(status: 200, headers: [length], url: request.url, serverAddress: "bench:80")
        act { $0.handle(.response(request.id, head), at: $1) }
        come(request, Array(bytes.prefix(count)))
    }

    /// Delivers more of a response.
    mutating func come(_ request: FetchRequest, _ bytes: [UInt8], isAll: Bool = false) {
        if !bytes.isEmpty { act { $0.handle(.data(request.id, FetchBytes(bytes)), at: $1) } }
        if isAll { act { $0.handle(.finished(request.id), at: $1) } }
        pass(.milliseconds(1))
    }

    /// Answers the oldest request after a delay.
    mutating func answer(_ answer: MemoryFetcher.Answer, after delay: Duration = .milliseconds(100)) {
        now = now + delay
        let request = requests.removeFirst()
        let head = FetchResponse(status: answer.status, headers: [], url: request.url, serverAddress: "bench:80")
        act { $0.handle(.response(request.id, head), at: $1) }
        act { $0.handle(.data(request.id, FetchBytes(answer.bytes)), at: $1) }
        act { $0.handle(.finished(request.id), at: $1) }
    }

    /// Fails the oldest request.
    mutating func fail(_ reason: FetchError.Reason = .connectionLost, after delay: Duration = .milliseconds(100)) {
        now = now + delay
        let request = requests.removeFirst()
        act { $0.handle(.failed(request.id, FetchError(reason, "no luck")), at: $1) }
    }

    /// Answers the oldest request from a title.
    mutating func answer(from title: Title, after delay: Duration = .milliseconds(100)) {
        let path = requests[0].url.split(separator: "/").dropFirst(2).joined(separator: "/")
        answer(title.answer(path) ?? (404, []), after: delay)
    }

    /// A player whose current item has its playlist and some segments.
    static func loaded(_ platform: PlatformProfile, _ title: Title, segments: Int) -> Bench {
        var bench = Bench(platform)
        bench.insert(title.address.full)
        for _ in 0...segments { bench.answer(from: title) }
        return bench
    }

    var current: PlayerItem? { player.current }

    /// Returns the names of the events, in order, that are among the given ones.
    func names(_ wanted: Set<String>) -> [String] { kinds.map { $0.record.name }.filter(wanted.contains) }
}
