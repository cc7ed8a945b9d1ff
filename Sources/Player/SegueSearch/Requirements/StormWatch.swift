internal import SegueBase

/// Detects requests and insertions that are repeated without a delay.
struct StormWatch: Sendable {
    /// The number of repetitions within ``time`` that are a violation.
    private static let count = 20
    private static let time = Duration.seconds(10)

    private var underway: [Int: String] = [:]
    private var misses: [String: [Instant]] = [:]
    private var insertions: [Instant] = []

    /// True if a request is open.
    var isLoading: Bool { !underway.isEmpty }

    mutating func begin(_ request: Int, _ url: String) { underway[request] = url }

    mutating func end(_ request: Int) { underway[request] = nil }

    /// Counts a failure of a request, and returns a description of a violation.
    mutating func miss(_ request: Int, at now: Instant) -> String? {
        guard let url = underway[request] else { return nil }
        let times = (misses[url] ?? []).filter { now - $0 < Self.time } + [now]
        misses[url] = times
        guard times.count >= Self.count else { return nil }
        return "\(url) failed \(times.count) times within \(Self.time.words)"
    }

    /// Counts an inserted item, and returns a description of a violation.
    mutating func insert(_ item: String, at now: Instant) -> String? {
        insertions = insertions.filter { now - $0 < Self.time } + [now]
        guard insertions.count >= Self.count else { return nil }
        return "\(insertions.count) items were inserted into the queue, up to \(item)"
    }
}
