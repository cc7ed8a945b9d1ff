/// The waits for conditions.
struct Waits {
    final class Wait {
        let what: String
        let object: UnsafeMutableRawPointer?
        let place: CallPlace
        let isOver: () -> Bool
        let then: () -> Void
        /// Whether the condition became true.
        var isMet = false

        init(
            what: String,
            object: UnsafeMutableRawPointer?,
            place: CallPlace,
            isOver: @escaping () -> Bool,
            then: @escaping () -> Void
        ) {
            (self.what, self.object, self.place, self.isOver, self.then) = (what, object, place, isOver, then)
        }
    }

    private var waiting: [Wait] = []

    /// The objects that threads outside may signal.
    var objects: [UnsafeMutableRawPointer] { waiting.compactMap(\.object) }

    /// A description of each wait, with its object and its call stack.
    var descriptions: [String] { waiting.map { "  waiting for \($0.what):\n\($0.place.text)" } }

    mutating func add(_ wait: Wait) { waiting.append(wait) }

    /// Ends the waits whose conditions are true, in order.
    mutating func look() {
        var left: [Wait] = []
        for wait in waiting {
            guard wait.isOver() else {
                left.append(wait)
                continue
            }
            wait.isMet = true
            wait.then()
        }
        waiting = left
    }

    /// Ends a wait that has timed out.
    mutating func giveUp(_ wait: Wait) {
        guard let place = waiting.firstIndex(where: { $0 === wait }) else { return }
        waiting.remove(at: place)
        wait.isMet = wait.isOver()
        wait.then()
    }
}
