internal import SegueBase
internal import SegueEvents

/// The items of a log, which has names for them.
struct LoggedItems {
    /// Whether two URLs are of renditions of one source, as far as they tell.
    var isSameSource: @Sendable (String, String) -> Bool = { $0 == $1 }

    /// The name of the current item; nil where there is none.
    var current: String?

    /// Whether the item that was the current one last played to its end.
    private(set) var isLastPlayedToEnd = false

    private var ids: [String: ItemID] = [:]
    private var urls: [ItemID: String] = [:]
    /// The items that the app made of another one, with that one.
    private var origins: [ItemID: ItemID] = [:]
    private var failed: Set<String> = []
    /// When an item became the current one whose turn is not known to last: one that the app had loaded beside another
    /// may leave with it, at the same moment.
    private var turned: Instant?
    /// When the app last decided something, and nobody has done anything since.
    private var decided: Instant?

    /// Whether there is a current item that has not failed.
    var hasGoodCurrent: Bool { current.map { !failed.contains($0) } ?? false }

    /// What stands for an item.
    mutating func id(of name: String) -> ItemID {
        let id = ids[name] ?? ItemID(ids.count + 1)
        ids[name] = id
        return id
    }

    /// An item's URL; empty where the log has none.
    func url(of item: ItemID) -> String { urls[item] ?? "" }

    /// Whether two items are renditions of one source: by their URLs, or because the app put one in the other's place.
    func isSame(_ one: ItemID, _ other: ItemID) -> Bool {
        if origin(of: one) == origin(of: other) { return true }
        guard let one = urls[one], let other = urls[other] else { return false }
        return isSameSource(one, other)
    }

    private func origin(of item: ItemID) -> ItemID { origins[item] ?? item }

    /// Takes in the next event.
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
