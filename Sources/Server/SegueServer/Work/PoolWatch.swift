import Dispatch
import SegueBase
import SegueConcurrency
import SegueFFmpeg

/// Looks after a pool's threads while they are busy, on a thread of its own.
struct PoolWatch: Sendable {
    let patience: WorkerPool.Patience
    let state: Monitor<PoolState>
    /// Whether somebody else is making something that work may wait for.
    let isHelped: @Sendable () -> Bool

    /// Waits until there is something to look after, and looks as long as there is, until the pool stops.
    ///
    /// - Parameters:
    ///   - signal: Signalled when work begins while there was none or has to wait for its turn, and when the pool stops.
    ///   - start: Starts one more thread of a lane.
    ///   - wake: Has threads of a lane look for work.
    func look(
        when signal: DispatchSemaphore,
        start: (WorkOrder.Lane) -> Void,
        wake: (_ lane: WorkOrder.Lane, _ count: Int) -> Void
    ) {
        while true {
            signal.wait()
            while state.withLock({ $0.beginLook() }) {
                _ = signal.wait(timeout: .now() + .nanoseconds(Int(patience.betweenLooks.wholeNanoseconds)))
                let isHelped = isHelped()
                let givenUp = state.withLock { $0.look(patience, isHelped: isHelped, now: .now) }
                for (job, refusal) in givenUp {
                    job.refuse(refusal)
                    job.cancellation.cancel()
                }
                for (lane, count) in state.withLock({ $0.takePassedOver() }) { wake(lane, count) }
                for lane in WorkOrder.Lane.allCases {
                    let missing = state.withLock { $0.threadsToStart(lane) }
                    for _ in 0..<missing { start(lane) }
                }
            }
            if state.withLock({ $0.isStopped }) { return }
        }
    }
}
