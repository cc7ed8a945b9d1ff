internal import SegueTime
public import Testing

/// What is called each time that something happened which a test awaits.
public struct VirtualConfirmation: Sendable {
    fileprivate let confirmation: Confirmation
    fileprivate let awaited: Awaited

    /// It happened, once or several times.
    ///
    /// - Parameter count: How often, from 1.
    public func callAsFunction(count: Int = 1) {
        confirmation(count: count)
        for _ in 0..<count { awaited.happen() }
    }
}

/// A confirmation that waits in virtual time: what is expected may come until a while after the body has ended.
///
/// - Parameters:
///   - comment: What is confirmed.
///   - expectedCount: How many times, from 0.
///   - limit: How long, of virtual time, is waited for it after the body, from zero.
///   - isolation: Where the body runs.
///   - sourceLocation: Where it is reported.
///   - body: What leads to it; its argument is called each time.
/// - Returns: What the body returns.
/// - Throws: What the body throws.
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
