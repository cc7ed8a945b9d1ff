/// What does one thing at a time, in the order in which it was given: the main queue, or another serial one.
final class Lane {
    /// Its name, for reports.
    let name: String

    /// Whether something of it is in hand, which may have blocked.
    var isHeld = false

    init(_ name: String) { self.name = name }
}

/// Something that a run has to do.
struct Work {
    /// Where it is done; nil for what waits for nothing else.
    let lane: Lane?

    /// What it is.
    let deed: Deed

    enum Deed {
        case call(() -> Void)
        /// A thread that blocked goes on.
        case resume(VirtualThread)
    }
}
