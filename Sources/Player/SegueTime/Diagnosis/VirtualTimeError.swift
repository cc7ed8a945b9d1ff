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
                virtual time: deadlock after \(after): no event is left, but the test has not ended, so it waits for \
                something that never happens.\(list)
                """
        case .blocked(let after, let real, let place):
            return """
                virtual time: after \(after), the code blocked its thread for \(real) of real time, as with a socket, a \
                lock that is never released, or an endless loop, here:
                \(place)
                """
        case .limit(let limit): return "virtual time: the test did not end within \(limit); `limit:` allows more"
        case .standstill(let at, let steps):
            return """
                virtual time: \(steps) events happened at \(at) without time passing; check for an endless repetition
                """
        case .escaped(let places):
            return """
                virtual time: work arrived from a thread outside of virtual time, as from URLSession or a custom thread; \
                `escapes: .allowed` allows it.
                \(places.joined(separator: "\n"))
                """
        case .nested: return "virtual time: `virtualTime` was called within `virtualTime`"
        case .unsupported(let releases):
            return "virtual time: this release of Swift is not supported; supported releases: \(releases)"
        }
    }
}
