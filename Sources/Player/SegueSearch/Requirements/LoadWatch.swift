internal import SegueBase
internal import SegueEvents

/// Detects an item that is loaded again without a cause: its copy replaces it before any of it was heard.
struct LoadWatch: Sendable {
    private struct Load: Sendable {
        let item: String
        let at: Instant
        /// The item that loads the same URL again.
        var copy: (item: String, at: Instant)?
    }

    /// The maximum time between the two.
    private static let time = Duration.seconds(5)

    /// The last load of each URL, until there is a cause for another one.
    private var loads: [String: Load] = [:]
    private var addresses: [String: String] = [:]

    /// Handles an event, and returns a description of a violation.
    mutating func handle(_ event: Event) -> String? {
        switch event.kind {
        case .stepBegan, .itemFailed, .itemPlayedToEnd, .platformRejected: loads = [:]
        case .platformLifecycle: loads = [:]
        case .soundBegan(let item, _): forget(item)
        case .queueInserted(let item, let url): insert(item, url, at: event.at)
        case .queueRemoved(let item, _): return remove(item)
        default: break
        }
        return nil
    }

    private mutating func insert(_ item: String, _ url: String, at now: Instant) {
        addresses[item] = url
        if let load = loads[url], now - load.at <= Self.time {
            loads[url]?.copy = (item, now)
        } else {
            loads[url] = Load(item: item, at: now)
        }
    }

    private mutating func remove(_ item: String) -> String? {
        guard let url = addresses.removeValue(forKey: item), let load = loads[url], load.item == item else {
            return nil
        }
        loads[url] = load.copy.map { Load(item: $0.item, at: $0.at) }
        guard let copy = load.copy else { return nil }
        let time = (copy.at - load.at).words
        return "\(copy.item) loads \(url) again \(time) after \(item), which had not failed and was not heard yet"
    }

    private mutating func forget(_ item: String) {
        if let url = addresses[item], loads[url]?.item == item { loads[url] = nil }
    }
}
