internal import SegueBase
internal import SegueEvents

/// The items of an event log, by their names.
struct LoggedItems {
    /// Compares the sources of two URLs.
    var isSameSource: @Sendable (String, String) -> Bool = { $0 == $1 }

    /// The name of the current item.
    var current: String?

    /// Whether the last current item played to its end.
    private(set) var isLastPlayedToEnd = false

    private var ids: [String: ItemID] = [:]
    private var urls: [ItemID: String] = [:]
    /// The item that each replacement was created from.
    private var origins: [ItemID: ItemID] = [:]
    private var failed: Set<String> = []
    /// The instant at which the current item became current, while it may still be replaced: an item that was preloaded
    /// beside another one may leave with it at the same instant.
    private var turned: Instant?
    /// The instant of the app's last decision, if nothing was called since.
    private var decided: Instant?

    /// Whether there is a current item that has not failed.
    var hasGoodCurrent: Bool { current.map { !failed.contains($0) } ?? false }

    mutating func id(of name: String) -> ItemID {
        let id = ids[name] ?? ItemID(ids.count + 1)
        ids[name] = id
        return id
    }

    /// The URL of an item; empty if the log has none.
    func url(of item: ItemID) -> String { urls[item] ?? "" }

    /// Whether two items are renditions of one source, according to their URLs or to a replacement by the app.
    func isSame(_ one: ItemID, _ other: ItemID) -> Bool {
        if origin(of: one) == origin(of: other) { return true }
        guard let one = urls[one], let other = urls[other] else { return false }
        return isSameSource(one, other)
    }

    private func origin(of item: ItemID) -> ItemID { origins[item] ?? item }

    mutating func follow(_ event: Event) {
        if let turned, event.at > turned {
            isLastPlayedToEnd = false
            self.turned = nil
        }
        switch event.kind {
        case .queueInserted(let item, let url):
            let id = id(of: item)
            if let current, decided == event.at { origins[id] = origin(of: self.id(of: current)) }
            urls[id] = url
        case .queueCurrent(let item): (current, turned) = (item, event.at)
        case .queueRemoved(let item, _): if item == current { current = nil }
        case .queueEmptied: current = nil
        case .itemFailed(let item, _, _, _): failed.insert(item)
        case .itemPlayedToEnd: (isLastPlayedToEnd, turned) = (true, nil)
        case .appDecided(_, let decision, _): decided = Reaction.opensOthers(decision) ? nil : event.at
        case .stepBegan: decided = nil
        default: break
        }
    }
}
