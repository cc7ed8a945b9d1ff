/// An error that ended a run of virtual time before its body.
public enum VirtualTimeError: Error, CustomStringConvertible {
    /// No event is left, and the body waits.
    case stuck(after: Duration, waits: [String])
    /// A lock, a socket, or a loop blocks its thread in real time.
    case blocked(after: Duration, for: Duration, place: String)
    /// The time limit passed before the end of the body.
    case limit(Duration)
    /// Events at one instant did not end.
    case standstill(at: Duration, steps: Int)
    /// Work came from outside of virtual time, which makes the run irreproducible.
    case escaped([String])
    /// A run began within another run.
    case nested
    /// The executors of Swift concurrency could not be replaced, because this release of Swift differs from the
    /// supported one.
    case unsupported(String)

    /// The error, its place, and its solution.
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
