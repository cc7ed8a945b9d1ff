/// Why a run of virtual time ended before its body did.
public enum VirtualTimeError: Error, CustomStringConvertible {
    /// Nothing is left to happen, and the body waits.
    case stuck(after: Duration, waits: [String])
    /// Something holds its thread up in real time: a lock, a socket, a loop.
    case blocked(after: Duration, for: Duration, place: String)
    /// Time went on and on without the body's end.
    case limit(Duration)
    /// More and more happened at one instant.
    case standstill(at: Duration, steps: Int)
    /// Work came from outside virtual time, where nothing is the same twice.
    case escaped([String])
    /// A run was begun within a run.
    case nested
    /// The executors of Swift's concurrency were not replaced: another release of Swift than the one that this holds for.
    case unsupported(String)

    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .stuck(let after, let waits):
            let list = waits.isEmpty ? "" : "\n" + waits.joined(separator: "\n")
            return """
                virtual time: after \(after) nothing is left to happen, and the test has not ended: something is waited \
                for that nobody will tell of.\(list)
                """
        case .blocked(let after, let real, let place):
            return """
                virtual time: after \(after) the code has held its thread for \(real) of real time. Sockets, locks that \
                nobody frees and loops without an end do that; it stood here:
                \(place)
                """
        case .limit(let limit): return "virtual time: the test had not ended after \(limit); `limit:` allows more"
        case .standstill(let at, let steps):
            return """
                virtual time: \(steps) things happened at \(at) and no time passed; is something done over and over?
                """
        case .escaped(let places):
            return """
                virtual time: work came back from a thread outside, as from URLSession or a thread of one's own, in real \
                time; `escapes: .allowed` allows it.
                \(places.joined(separator: "\n"))
                """
        case .nested: return "virtual time: `virtualTime` was called within `virtualTime`"
        case .unsupported(let releases):
            return "virtual time: this release of Swift is not one that it is known to work with, which are \(releases)"
        }
    }
}
