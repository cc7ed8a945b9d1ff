internal import SegueTime
internal import Synchronization
public import XCTest

/// An `XCTestExpectation` in virtual time.
///
/// Test modules use it under that name with `typealias XCTestExpectation = VirtualExpectation`.
public final class VirtualExpectation: Sendable {
    /// The description, for reports.
    public let expectationDescription: String

    fileprivate struct Terms {
        var count = 1
        var isInverted = false
        var asserts = false
        var awaited: Awaited?
        var fulfilled = 0
    }

    fileprivate let terms = Mutex(Terms())

    /// Creates an unfulfilled expectation.
    ///
    /// - Parameter description: The description, for reports.
    public init(description: String = "") { expectationDescription = description }

    /// The required number of calls of ``fulfill()``, at least 1.
    public var expectedFulfillmentCount: Int {
        get { terms.withLock { $0.count } }
        set { terms.withLock { $0.count = newValue } }
    }

    /// True if it must not be fulfilled.
    public var isInverted: Bool {
        get { terms.withLock { $0.isInverted } }
        set { terms.withLock { $0.isInverted = newValue } }
    }

    /// True if more calls than expected are a failure.
    public var assertForOverFulfill: Bool {
        get { terms.withLock { $0.asserts } }
        set { terms.withLock { $0.asserts = newValue } }
    }

    /// Records an event.
    public func fulfill() {
        let awaited = terms.withLock { terms in
            terms.fulfilled += 1
            return terms.awaited
        }
        awaited?.happen()
    }

    /// Returns the object to wait for, with the events so far.
    fileprivate func begin() -> Awaited {
        terms.withLock { terms in
            let awaited = Awaited(count: terms.count - terms.fulfilled)
            terms.awaited = awaited
            return awaited
        }
    }

    /// Returns the failure after a wait, if there is one.
    fileprivate func complaint(after timeout: TimeInterval) -> String? {
        let (count, fulfilled) = terms.withLock { ($0.count, $0.fulfilled) }
        if isInverted {
            return fulfilled < count ? nil : "Fulfilled inverted expectation \"\(expectationDescription)\""
        }
        if fulfilled < count {
            return "Asynchronous wait failed: Exceeded timeout of \(timeout) seconds of virtual time, with unfulfilled"
                + " expectation: \(expectationDescription)"
        }
        guard assertForOverFulfill, fulfilled > count else { return nil }
        return "Expectation \"\(expectationDescription)\" was fulfilled \(fulfilled) times, expected \(count)"
    }
}

extension XCTestCase {
    /// Creates an unfulfilled expectation in virtual time.
    ///
    /// - Parameter description: The description, for reports.
    /// - Returns: The expectation.
    public func expectation(description: String) -> VirtualExpectation { VirtualExpectation(description: description) }

    /// Waits in virtual time until all expectations are fulfilled, and fails the test if one is not in time.
    ///
    /// - Parameters:
    ///   - expectations: The expectations, which may be fulfilled in any order.
    ///   - timeout: The maximum virtual time for all of them, in seconds.
    ///   - isolation: The actor to wait on; by default, the caller's.
    ///   - file: The file of a reported failure.
    ///   - line: The line of a reported failure.
    public func fulfillment(
        of expectations: [VirtualExpectation],
        timeout: TimeInterval,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async {
        let limit = Deadline(after: timeout)
        for expectation in expectations { await expectation.begin().wait(atMost: limit.left) }
        complain(of: expectations, after: timeout, file: file, line: line)
    }

    /// Blocks the caller's thread in virtual time until all expectations are fulfilled, and fails the test if one is
    /// not in time.
    ///
    /// - Parameters:
    ///   - expectations: The expectations, which may be fulfilled in any order.
    ///   - timeout: The maximum virtual time for all of them, in seconds.
    ///   - file: The file of a reported failure.
    ///   - line: The line of a reported failure.
    public func wait(
        for expectations: [VirtualExpectation],
        timeout: TimeInterval,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        let limit = Deadline(after: timeout)
        for expectation in expectations { expectation.begin().block(atMost: limit.left) }
        complain(of: expectations, after: timeout, file: file, line: line)
    }

    private func complain(
        of expectations: [VirtualExpectation],
        after timeout: TimeInterval,
        file: StaticString,
        line: UInt
    ) {
        for complaint in expectations.compactMap({ $0.complaint(after: timeout) }) {
            XCTFail(complaint, file: file, line: line)
        }
    }
}

/// A point in virtual time.
private struct Deadline {
    private let instant: ContinuousClock.Instant

    init(after seconds: TimeInterval) { instant = .now + .seconds(seconds) }

    /// The time until it.
    var left: Duration { max(.zero, instant - .now) }
}
