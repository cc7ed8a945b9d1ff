import Foundation
import SegueTime
import SegueTimeXCTest
import XCTest

typealias XCTestExpectation = VirtualExpectation
typealias Timer = VirtualTimer
typealias RunLoop = VirtualRunLoop

final class ExpectationTests: XCTestCase {
    @MainActor func testFulfilled() async throws {
        try await virtualTime {
            let ready = self.expectation(description: "ready")
            ready.expectedFulfillmentCount = 3
            let timer = Timer.scheduledTimer(withTimeInterval: 60, repeats: true) { _ in ready.fulfill() }
            await self.fulfillment(of: [ready], timeout: 200)
            XCTAssertEqual(VirtualTime.elapsed, .seconds(180))
            timer.invalidate()
        }
    }

    func testWaitsOnItsThread() async throws {
        try await virtualTime {
            let ready = XCTestExpectation(description: "ready")
            DispatchQueue.main.asyncAfter(deadline: .now() + 5) { ready.fulfill() }
            self.wait(for: [ready], timeout: 10)
            XCTAssertEqual(VirtualTime.elapsed, .seconds(5))
            RunLoop.current.run(until: Date(timeIntervalSinceNow: 2))
            XCTAssertEqual(VirtualTime.elapsed, .seconds(7))
        }
    }

    func testInverted() async throws {
        try await virtualTime {
            let never = self.expectation(description: "never")
            never.isInverted = true
            await self.fulfillment(of: [never], timeout: 3600)
            XCTAssertEqual(VirtualTime.elapsed, .seconds(3600))
        }
    }

    func testRealTimeBeside() async throws {
        let begin = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(20))
        XCTAssertGreaterThan(ContinuousClock.now - begin, .milliseconds(19))
    }
}
