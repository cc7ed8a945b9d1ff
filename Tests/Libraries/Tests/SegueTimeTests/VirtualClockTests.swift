import Foundation
import SegueTime
import Testing

/// Every clock shows virtual time within a run, and the machine's time outside of it.
@Suite struct VirtualClockTests {
    @Test func `a sleep advances every clock`() async throws {
        try await virtualTime {
            let continuous = ContinuousClock.now, suspending = SuspendingClock.now, date = Date()
            let dispatch = DispatchTime.now(), wall = DispatchWallTime.now(), reference = NSDate()
            let uptime = ProcessInfo.processInfo.systemUptime
            try await Task.sleep(for: .seconds(3600))
            #expect(ContinuousClock.now - continuous == .seconds(3600))
            #expect(SuspendingClock.now - suspending == .seconds(3600))
            #expect(Date().timeIntervalSince(date) == 3600)
            #expect(DispatchTime.now() == dispatch + 3600)
            #expect(DispatchWallTime.now() == wall + 3600)
            #expect(ProcessInfo.processInfo.systemUptime - uptime == 3600)
            #expect(NSDate().timeIntervalSince(reference as Date) == 3600)
            #expect(VirtualTime.elapsed == .seconds(3600))
        }
    }

    @Test func `a run starts at a given date`() async throws {
        let date = try await virtualTime(start: .seconds(1_000_000_000)) { Date() }
        #expect(date == Date(timeIntervalSince1970: 1_000_000_000))
        #expect(try await virtualTime { Date() } == Date(timeIntervalSince1970: 1_767_225_600))
    }

    @Test func `sleeps are exact`() async throws {
        try await virtualTime {
            for sleep in [Duration.nanoseconds(1), .microseconds(7), .milliseconds(333), .seconds(86_000)] {
                let begin = ContinuousClock.now
                try await Task.sleep(for: sleep)
                #expect(ContinuousClock.now - begin == sleep)
            }
            let begin = ContinuousClock.now
            try await Task.sleep(until: begin + .seconds(2), clock: .continuous)
            try await Task.sleep(until: .now + .seconds(2), clock: .suspending)
            try await Task.sleep(nanoseconds: 5)
            #expect(ContinuousClock.now - begin == .seconds(4) + .nanoseconds(5))
        }
    }

    @Test func `outside threads read the machine's clocks`() async throws {
        let before = Date()
        try await virtualTime(escapes: .allowed) {
            let outside = await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: Date()) }.start()
            }
            #expect(outside >= before && outside.timeIntervalSince(before) < 3600)
            #expect(Date().timeIntervalSince1970 == 1_767_225_600)
        }
        #expect(Date() >= before)
        #expect(!VirtualTime.isActive)
    }
}
