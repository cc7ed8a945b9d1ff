import Dispatch
import SegueBase
import SegueConcurrency
import SegueFFmpeg

/// A watch over the threads of a pool while they are busy, on a thread of its own.
struct PoolMonitor: Sendable {
    let patience: WorkerPool.Patience
    let state: Monitor<PoolState>
    /// Returns true if another component makes something that jobs may wait for.
    let isHelped: @Sendable () -> Bool

    /// Waits for busy threads and checks them periodically, until the pool stops.
    ///
    /// - Parameters:
    ///   - signal: Signaled when the first job starts, when a job is queued, and when the pool stops.
    ///   - start: Starts another thread of a lane.
    ///   - wake: Wakes threads of a lane.
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
