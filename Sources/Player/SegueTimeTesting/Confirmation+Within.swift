internal import SegueTime
public import Testing

/// A confirmation that a test calls for each event.
public struct VirtualConfirmation: Sendable {
    fileprivate let confirmation: Confirmation
    fileprivate let awaited: Awaited

    /// Records one or more events.
    ///
    /// - Parameter count: The number of events, from 1.
    public func callAsFunction(count: Int = 1) {
        confirmation(count: count)
        for _ in 0..<count { awaited.happen() }
    }
}

/// Waits in virtual time for events, which may happen until a time limit after the body.
///
/// - Parameters:
///   - comment: A description of the events, for reports.
///   - expectedCount: The expected number of events, from 0.
///   - limit: The maximum virtual time after the body, from zero.
///   - isolation: The actor that the body runs on; by default, the caller's.
///   - sourceLocation: The location of a reported issue.
///   - body: The code that leads to the events; it calls its argument for each.
/// - Returns: The result of the body.
/// - Throws: The errors of the body.
public func confirmation<Value>(
    _ comment: Comment? = nil,
    expectedCount: Int = 1,
    within limit: Duration,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (VirtualConfirmation) async throws -> sending Value
) async rethrows -> Value {
    try await confirmation(
        comment,
        expectedCount: expectedCount,
        isolation: isolation,
        sourceLocation: sourceLocation
    ) { confirmation in
        let awaited = Awaited(count: expectedCount)
        let value = try await body(VirtualConfirmation(confirmation: confirmation, awaited: awaited))
        await awaited.wait(atMost: limit)
        return value
    }
}
