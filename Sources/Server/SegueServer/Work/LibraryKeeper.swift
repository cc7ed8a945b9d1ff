import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// Keeps what is known of a library up to date, on a thread of its own.
///
/// It looks into every file at first; from then on, when somebody looks at the list, it looks for new files, as seldom
/// as not to keep the disks busy.
final class LibraryKeeper: Sendable {
    private struct State {
        var isWanted = false
        /// Whether somebody wants it whatever time it is.
        var isUrgent = false
        var isStopped = false
    }

    /// What the thread is to do next.
    private struct Wish {
        var isUrgent = false
        var isEnd = false
    }

    /// How many times longer than a scan the pause after it is.
    private static let pauseFactor = 20

    /// What looking for files is about; no item's id.
    private static let folders = "folders"

    private let learner: LibraryLearner
    private let cancellation = Cancellation()
    private let state = Monitor(State())

    /// The least time between two scans.
    private let leastPause: Duration

    /// A keeper that has not started.
    init(_ learner: LibraryLearner, leastPause: Duration = .seconds(5)) {
        (self.learner, self.leastPause) = (learner, leastPause)
    }

    /// Starts the thread.
    ///
    /// - Parameter work: Where files are looked into.
    func start(_ work: any RequestWork) {
        WorkThread.begin("library") { [self] in keep(work) }
    }

    /// Asks for a look at the folders when it is time for one.
    func lookAgain() { state.withLock { $0.isWanted = true } }

    /// Asks for a look at the folders at once.
    func lookNow() { state.withLock { ($0.isWanted, $0.isUrgent) = (true, true) } }

    /// Ends the thread soon.
    func stop() {
        cancellation.cancel()
        state.withLock { $0.isStopped = true }
    }

    private func keep(_ work: any RequestWork) {
        learn(work)
        var notBefore = ContinuousClock.now + leastPause
        while let wish = waitForWish() {
            if ContinuousClock.now < notBefore, !wish.isUrgent { continue }
            let began = ContinuousClock.now
            rescan(work)
            notBefore = .now + max(leastPause, (.now - began) * Self.pauseFactor)
            learn(work)
        }
    }

    /// Looks for files where work that hangs is noticed: on a disk that does not answer this never returns, and no other
    /// look is begun until it does.
    private func rescan(_ work: any RequestWork) {
        let look = Cancellation()
        let registration = cancellation.whenCancelled { look.cancel() }
        defer { cancellation.forget(registration) }
        _ = work.learn(WorkOrder(.background, subject: Self.folders), look) { [learner] in learner.rescan() }
    }

    private func learn(_ work: any RequestWork) {
        learner.learn(cancellation: cancellation) { [learner, cancellation] item in
            // One file that is given up does not end the looks into the others.
            let look = Cancellation()
            let registration = cancellation.whenCancelled { look.cancel() }
            defer { cancellation.forget(registration) }
            let refusal = work.learn(WorkOrder(.background, subject: item.id), look) {
                learner.look(into: item, cancellation: look)
            }
            if refusal == .hung { learner.giveUp(item) }
        }
    }

    /// Blocks until a look is wanted; nil when the thread is to end.
    private func waitForWish() -> Wish? {
        let wish: Wish = state.wait { state in
            if state.isStopped { return Wish(isEnd: true) }
            guard state.isWanted else { return nil }
            defer { (state.isWanted, state.isUrgent) = (false, false) }
            return Wish(isUrgent: state.isUrgent)
        }
        return wish.isEnd ? nil : wish
    }
}
