import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// Waiting for the moment at which a request is to be asked again: a task that sleeps, and no thread.
enum BlockingReload {
    /// Waits until a moment, or until the request is given up.
    ///
    /// - Parameters:
    ///   - milliseconds: The moment, in milliseconds since 1970 (``OriginResponse/heldUntil``).
    ///   - now: The present, in milliseconds since 1970.
    ///   - cancellation: Of the request; its client may have gone.
    static func wait(until milliseconds: Int64, now: Int64, _ cancellation: Cancellation) async {
        let (wait, isTooLong) = milliseconds.subtractingReportingOverflow(now)
        guard !isTooLong, wait > 0 else { return }
        let sleep = Task { try? await Task.sleep(for: .milliseconds(wait)) }
        let registration = cancellation.whenCancelled { sleep.cancel() }
        defer { cancellation.forget(registration) }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
    }
}
