import Foundation
import SegueTime
import Testing

/// libdispatch queues, groups, and semaphores, and blocking calls, use virtual time within a run.
@Suite struct VirtualQueueTests {
    @Test func `delayed work runs at its deadline`() async throws {
        let noted = Noted<String>()
        try await virtualTime {
            DispatchQueue.main.asyncAfter(deadline: .now() + 20) { noted.note("\(second) main") }
            DispatchQueue.global().asyncAfter(wallDeadline: .now() + .seconds(10)) { noted.note("\(second) global") }
            DispatchQueue(label: "own").asyncAfter(deadline: .now() + 15, qos: .utility) { noted.note("\(second) own") }
            DispatchQueue.main.asyncAfter(deadline: .distantFuture) { noted.note("\(second) never") }
            DispatchQueue.main.async {
                MainActor.assumeIsolated { noted.note("\(second) at once") }
                dispatchPrecondition(condition: .onQueue(.main))
            }
            try await Task.sleep(for: .seconds(60))
        }
        #expect(noted.all == ["0 at once", "10 global", "15 own", "20 main"])
    }

    @Test func `a serial queue runs one block at a time, a concurrent queue several`() async throws {
        let noted = Noted<String>()
        try await virtualTime {
            let serial = DispatchQueue(label: "serial")
            let concurrent = DispatchQueue(label: "concurrent", qos: .userInitiated, attributes: .concurrent)
            for number in 1...3 {
                serial.async {
                    Thread.sleep(forTimeInterval: 10)
                    noted.note("\(second) serial \(number)")
                }
                concurrent.async {
                    sleep(12)
                    noted.note("\(second) concurrent \(number)")
                }
            }
            serial.sync { noted.note("\(second) sync") }
        }
        #expect(
            noted.all == [
                "10 serial 1", "12 concurrent 1", "12 concurrent 2", "12 concurrent 3", "20 serial 2", "30 serial 3",
                "30 sync",
            ]
        )
    }

    @Test func `semaphores wait in virtual time`() async throws {
        try await virtualTime {
            let semaphore = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                usleep(3_000_000)
                semaphore.signal()
            }
            #expect(semaphore.wait(timeout: .now() + 1) == .timedOut)
            #expect(VirtualTime.elapsed == .seconds(1))
            #expect(semaphore.wait(timeout: .now() + 10) == .success)
            #expect(VirtualTime.elapsed == .seconds(3))
        }
    }

    @Test func `groups wait in virtual time`() async throws {
        let noted = Noted<String>()
        try await virtualTime {
            let group = DispatchGroup()
            for second in 1...3 {
                DispatchQueue.global().async(group: group) {
                    Thread.sleep(forTimeInterval: TimeInterval(second))
                    noted.note("\(second) done")
                }
            }
            group.enter()
            DispatchQueue.main.asyncAfter(deadline: .now() + 7) { group.leave() }
            group.notify(queue: .main) { noted.note("\(second) all") }
            #expect(group.wait(timeout: .now() + 2) == .timedOut)
            group.wait()
            #expect(VirtualTime.elapsed == .seconds(7))
            await VirtualTime.settle()
        }
        #expect(noted.all == ["1 done", "2 done", "3 done", "7 all"])
    }

    @MainActor @Test func `a blocked main thread does not block other threads`() async throws {
        let noted = Noted<String>()
        try await virtualTime {
            Task { @MainActor in noted.note("\(second) main actor") }
            Task.detached { noted.note("\(second) detached") }
            sleepOnTheThread(5)
            noted.note("\(second) slept")
            await VirtualTime.settle()
        }
        #expect(noted.all == ["0 detached", "5 slept", "5 main actor"])
    }

    @Test func `concurrentPerform runs each iteration`() async throws {
        try await virtualTime {
            let noted = Noted<Int>()
            DispatchQueue.concurrentPerform(iterations: 10) { noted.note($0) }
            #expect(noted.all.sorted() == Array(0..<10))
        }
    }

    @Test func `timer sources fire in virtual time`() async throws {
        let noted = Noted<String>()
        try await virtualTime {
            let timer = DispatchSource.makeTimerSource(queue: .main)
            timer.schedule(deadline: .now() + 5, repeating: 10)
            timer.setEventHandler { noted.note("\(second) fires") }
            timer.setCancelHandler { noted.note("\(second) cancelled") }
            try await Task.sleep(for: .seconds(7))
            timer.resume()
            try await Task.sleep(for: .seconds(20))
            timer.suspend()
            try await Task.sleep(for: .seconds(30))
            timer.resume()
            try await Task.sleep(for: .seconds(10))
            timer.cancel()
            try await Task.sleep(for: .seconds(100))
            let once = DispatchSource.makeTimerSource()
            once.schedule(deadline: .now() + .seconds(3))
            once.setEventHandler { noted.note("\(second) once") }
            once.activate()
            try await Task.sleep(for: .seconds(100))
        }
        #expect(
            noted.all == [
                "7 fires", "15 fires", "25 fires", "57 fires", "65 fires", "67 cancelled", "170 once",
            ]
        )
    }

    @Test func `a cancelled work item does not run`() async throws {
        let noted = Noted<String>()
        try await virtualTime {
            let item = DispatchWorkItem { noted.note("\(second) cancelled") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: item)
            let other = DispatchWorkItem { noted.note("\(second) done") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: other)
            item.cancel()
            try await Task.sleep(for: .seconds(2))
        }
        #expect(noted.all == ["1 done"])
    }
}

private func sleepOnTheThread(_ seconds: TimeInterval) { Thread.sleep(forTimeInterval: seconds) }

/// The present second of virtual time.
private var second: Int64 { VirtualTime.elapsed.components.seconds }
