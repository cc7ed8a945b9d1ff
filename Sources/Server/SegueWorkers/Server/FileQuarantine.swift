import SeguePackager

/// Files on which workers crashed, rejected until they change or a time has passed.
struct FileQuarantine {
    typealias Instant = ContinuousClock.Instant

    private struct Entry {
        var identity: FileIdentity
        var reason: String
        var until: Instant
    }

    /// The maximum number of files.
    private static let most = 1024

    private let time: Duration
    private var entries: [String: Entry] = [:]

    /// - Parameter time: The duration of a quarantine.
    init(for time: Duration) { self.time = time }

    /// The reason why a file is quarantined, or nil if it is not.
    func reason(_ identity: FileIdentity, now: Instant) -> String? {
        guard let entry = entries[identity.path], entry.identity == identity, now < entry.until else { return nil }
        return entry.reason
    }

    mutating func add(_ identity: FileIdentity, because reason: String, now: Instant) {
        if entries.count >= Self.most, let first = entries.min(by: { $0.value.until < $1.value.until }) {
            entries[first.key] = nil
        }
        entries[identity.path] = Entry(identity: identity, reason: reason, until: now + time)
    }

    /// The number of quarantined files.
    func count(now: Instant) -> Int { entries.values.count { now < $0.until } }
}
