import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// Background scans of a library, on a thread of their own.
///
/// It scans every file once. Later, requests for lists trigger scans for new files, rarely enough to keep the disks
/// idle.
final class LibraryScanner: Sendable {
    private struct State {
        var isWanted = false
        /// True to ignore the minimum pause.
        var isUrgent = false
        var isStopped = false
    }

    /// The next task of the thread.
    private struct Wish {
        var isUrgent = false
        var isEnd = false
    }

    /// The pause after a scan as a multiple of its duration.
    private static let pauseFactor = 20

    /// The subject of folder scans, distinct from items' ids.
    private static let folders = "folders"

    private let learner: LibraryIndexer
    private let cancellation = Cancellation()
    private let state = Monitor(State())

    /// The minimum pause between two scans.
    private let minimumPause: Duration

    init(_ learner: LibraryIndexer, minimumPause: Duration = .seconds(5)) {
        (self.learner, self.minimumPause) = (learner, minimumPause)
    }

    /// Starts the thread.
    ///
    /// - Parameter work: The workers that scan files.
    func start(_ work: any RequestWork) {
        WorkThread.begin("library") { [self] in keep(work) }
    }

    /// Requests a scan of the folders after the minimum pause.
    func requestScan() { state.withLock { $0.isWanted = true } }

    /// Requests a scan of the folders at once.
    func scanNow() { state.withLock { ($0.isWanted, $0.isUrgent) = (true, true) } }

    func stop() {
        cancellation.cancel()
        state.withLock { $0.isStopped = true }
    }

    private func keep(_ work: any RequestWork) {
        learn(work)
        var notBefore = ContinuousClock.now + minimumPause
        while let wish = waitForWish() {
            if ContinuousClock.now < notBefore, !wish.isUrgent { continue }
            let began = ContinuousClock.now
            rescan(work)
            notBefore = .now + max(minimumPause, (.now - began) * Self.pauseFactor)
            learn(work)
        }
    }

    /// Scans the folders on a worker, which detects hanging work: on a disk that does not respond this never returns,
    /// and no other scan starts until it does.
    private func rescan(_ work: any RequestWork) {
        let look = Cancellation()
        let registration = cancellation.whenCancelled { look.cancel() }
        defer { cancellation.forget(registration) }
        _ = work.learn(WorkOrder(.background, subject: Self.folders), look) { [learner] in learner.rescan() }
    }

    private func learn(_ work: any RequestWork) {
        learner.learn(cancellation: cancellation) { [learner, cancellation] item in
            // A file that is given up does not end the scans of the others.
            let look = Cancellation()
            let registration = cancellation.whenCancelled { look.cancel() }
            defer { cancellation.forget(registration) }
            let refusal = work.learn(WorkOrder(.background, subject: item.id), look) {
                learner.look(into: item, cancellation: look)
            }
            if refusal == .hung { learner.giveUp(item) }
        }
    }

    /// Blocks until a scan is requested; nil when the thread is to end.
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
