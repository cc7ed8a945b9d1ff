import SeguePackager

/// Files on which workers ended, left alone until they change or a while has passed.
struct FileQuarantine {
    typealias Instant = ContinuousClock.Instant

    private struct Entry {
        var identity: FileIdentity
        var reason: String
        var until: Instant
    }

    /// How many are remembered.
    private static let most = 1024

    private let time: Duration
    private var entries: [String: Entry] = [:]

    /// No files.
    ///
    /// - Parameter time: How long one is left alone.
    init(for time: Duration) { self.time = time }

    /// Why a file is left alone; nil where it is not.
    func reason(_ identity: FileIdentity, now: Instant) -> String? {
        guard let entry = entries[identity.path], entry.identity == identity, now < entry.until else { return nil }
        return entry.reason
    }

    /// Sets a file aside.
    mutating func add(_ identity: FileIdentity, because reason: String, now: Instant) {
        if entries.count >= Self.most, let first = entries.min(by: { $0.value.until < $1.value.until }) {
            entries[first.key] = nil
        }
        entries[identity.path] = Entry(identity: identity, reason: reason, until: now + time)
    }

    /// How many are left alone now.
    func count(now: Instant) -> Int { entries.values.count { now < $0.until } }
}
