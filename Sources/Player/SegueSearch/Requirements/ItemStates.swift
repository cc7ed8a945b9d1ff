internal import SegueBase

/// The states of the items in the queue.
struct ItemStates: Sendable {
    var current: String?
    var failed: Set<String> = []
    /// The items that failed because of the network.
    var lost: Set<String> = []
    var likely: Set<String> = []
    var durations: [String: Duration] = [:]
    /// The targets of the seeks in progress.
    var seeks: [String: Duration] = [:]
    /// The assets of interstitials, which play in place of an item.
    var assets: Set<String> = []
    /// The source that failed and may be recreated: its title, or its URL without one.
    var failedSource: String?

    /// Returns whether an item is the current one, or could be.
    func mayBeCurrent(_ item: String) -> Bool { item == current || current == nil }
}
