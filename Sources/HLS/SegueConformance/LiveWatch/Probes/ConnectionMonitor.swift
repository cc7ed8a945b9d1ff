internal import SegueBase
internal import SegueFetch

/// The kept connections of a watch.
struct ConnectionMonitor: Sendable {
    /// The number of requests after which older ones count half.
    private static let memory = 100

    /// The requests since the beginning.
    private(set) var all = ConnectionUse()
    private var recent = ConnectionUse()
    /// True while the server closes too many kept connections without a response.
    private(set) var isUnreliable = false

    /// Counts a request; returns the message when the connections become unreliable.
    mutating func take(_ use: ConnectionUse) -> Message? {
        all.add(use)
        recent.add(use)
        if recent.kept > 2 * Self.memory { recent = ConnectionUse(kept: recent.kept / 2, lost: recent.lost / 2) }
        defer { isUnreliable = recent.isUnreliable }
        return recent.isUnreliable && !isUnreliable ? ClientRules.lost(recent) : nil
    }
}
