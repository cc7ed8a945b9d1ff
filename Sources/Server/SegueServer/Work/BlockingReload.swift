import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// The wait of a blocking reload, in a task that sleeps and occupies no thread.
enum BlockingReload {
    /// The time after which a request is not held again, in milliseconds.
    ///
    /// Choice: three segments of 10 s.
    static let most: Int64 = 30_000

    /// Repeats a response when it is due, until it is final or the bound has passed.
    ///
    /// - Parameters:
    ///   - response: The first response.
    ///   - now: The clock, in milliseconds since 1970.
    ///   - wait: Waits until a time of that clock, or less if the request is cancelled.
    ///   - again: Makes the response again.
    /// - Returns: The last response.
    static func settled<Failure: Error>(
        _ response: OriginResponse,
        now: () -> Int64,
        wait: (Int64) async -> Void,
        again: () async throws(Failure) -> OriginResponse
    ) async throws(Failure) -> OriginResponse {
        var response = response
        let (last, isTooLate) = now().addingReportingOverflow(most)
        while let time = response.blockedUntil, !isTooLate, now() < last {
            await wait(min(time, last))
            response = try await again()
        }
        return response
    }

    /// Waits until a time, or until the request is cancelled.
    ///
    /// - Parameters:
    ///   - milliseconds: The time, in milliseconds since 1970 (``OriginResponse/blockedUntil``).
    ///   - now: The present, in milliseconds since 1970.
    ///   - cancellation: The cancellation of the request.
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
