internal import SegueTime
internal import Synchronization
public import XCTest

/// `XCTestExpectation` in virtual time; to be used by that name by `typealias XCTestExpectation = VirtualExpectation` in a
/// module of tests.
public final class VirtualExpectation: Sendable {
    /// What is expected, for reports.
    public let expectationDescription: String

    fileprivate struct Terms {
        var count = 1
        var isInverted = false
        var asserts = false
        var awaited: Awaited?
        var fulfilled = 0
    }

    fileprivate let terms = Mutex(Terms())

    /// Something that has not happened.
    ///
    /// - Parameter description: What is expected, for reports.
    public init(description: String = "") { expectationDescription = description }

    /// How often it is to be fulfilled, at least once.
    public var expectedFulfillmentCount: Int {
        get { terms.withLock { $0.count } }
        set { terms.withLock { $0.count = newValue } }
    }

    /// Whether it must not be fulfilled.
    public var isInverted: Bool {
        get { terms.withLock { $0.isInverted } }
        set { terms.withLock { $0.isInverted = newValue } }
    }

    /// Whether it must not be fulfilled more often than expected.
    public var assertForOverFulfill: Bool {
        get { terms.withLock { $0.asserts } }
        set { terms.withLock { $0.asserts = newValue } }
    }

    /// It happened.
    public func fulfill() {
        let awaited = terms.withLock { terms in
            terms.fulfilled += 1
            return terms.awaited
        }
        awaited?.happen()
    }

    /// What is waited for, with what has happened already.
    fileprivate func begin() -> Awaited {
        terms.withLock { terms in
            let awaited = Awaited(count: terms.count - terms.fulfilled)
            terms.awaited = awaited
            return awaited
        }
    }

    /// What is wrong with it once it was waited for; nil for nothing.
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
    /// An expectation in virtual time.
    ///
    /// - Parameter description: What is expected, for reports.
    /// - Returns: The expectation, of something that has not happened.
    public func expectation(description: String) -> VirtualExpectation { VirtualExpectation(description: description) }

    /// Waits in virtual time until all is fulfilled; fails the test where something is not in time.
    ///
    /// - Parameters:
    ///   - expectations: What is expected.
    ///   - timeout: How long all of it may take, in seconds of virtual time.
    ///   - isolation: Where the caller runs.
    ///   - file: Where it is reported.
    ///   - line: Where it is reported.
    public func fulfillment(
        of expectations: [VirtualExpectation],
        timeout: TimeInterval,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async {
        let limit = Deadline(after: timeout)
        for expectation in expectations { await expectation.begin().wait(atMost: limit.left) }
        complain(of: expectations, timeout, file, line)
    }

    /// Keeps the caller's thread in virtual time until all is fulfilled; fails the test where something is not in time.
    ///
    /// - Parameters:
    ///   - expectations: What is expected.
    ///   - timeout: How long all of it may take, in seconds of virtual time.
    ///   - file: Where it is reported.
    ///   - line: Where it is reported.
    public func wait(
        for expectations: [VirtualExpectation],
        timeout: TimeInterval,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        let limit = Deadline(after: timeout)
        for expectation in expectations { expectation.begin().block(atMost: limit.left) }
        complain(of: expectations, timeout, file, line)
    }

    private func complain(
        of expectations: [VirtualExpectation],
        _ timeout: TimeInterval,
        _ file: StaticString,
        _ line: UInt
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

    /// How long it is until then.
    var left: Duration { max(.zero, instant - .now) }
}
