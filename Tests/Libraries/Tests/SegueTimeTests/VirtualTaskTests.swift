import SegueTime
import Testing

/// Tasks, actors, and the main actor run in virtual time, one after the other, in a reproducible order.
@Suite struct VirtualTaskTests {
    private actor Counter {
        private(set) var value = 0

        func add(after delay: Duration) async throws {
            try await Task.sleep(for: delay)
            value += 1
        }
    }

    @Test func `task groups and actors run in virtual time`() async throws {
        let value = try await virtualTime {
            let counter = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for second in 1...100 { group.addTask { try await counter.add(after: .seconds(second)) } }
                try await group.waitForAll()
            }
            #expect(VirtualTime.elapsed == .seconds(100))
            return await counter.value
        }
        #expect(value == 100)
    }

    @Test func `a detached task belongs to the run`() async throws {
        try await virtualTime {
            let elapsed = try await Task.detached(priority: .background) {
                try await Task.sleep(for: .seconds(5))
                #expect(VirtualTime.isActive)
                return VirtualTime.elapsed
            }.value
            #expect(elapsed == .seconds(5))
        }
    }

    @Test func `a cancelled sleep ends at once`() async throws {
        try await virtualTime {
            let task = Task { try await Task.sleep(for: .seconds(3600)) }
            try await Task.sleep(for: .seconds(1))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(VirtualTime.elapsed == .seconds(1))
        }
    }

    @MainActor @Test func `the main actor is one thread`() async throws {
        var order: [Int] = []
        try await virtualTime {
            MainActor.assertIsolated()
            let tasks = (0..<5).map { number in Task { order.append(number) } }
            #expect(order.isEmpty)
            for task in tasks { await task.value }
            await Task.detached { await MainActor.run { MainActor.assertIsolated() } }.value
        }
        #expect(order == [0, 1, 2, 3, 4])
    }

    @TaskLocal static var word = "none"

    @Test func `task-local values enter the run`() async throws {
        try await VirtualTaskTests.$word.withValue("a word") {
            try await virtualTime { #expect(VirtualTaskTests.word == "a word") }
        }
    }

    @Test func `settling completes all ready work`() async throws {
        try await virtualTime {
            let done = Noted<Int>()
            for number in 0..<10 {
                Task {
                    await Task.yield()
                    done.note(number)
                }
            }
            await VirtualTime.settle()
            #expect(done.all.count == 10)
            #expect(VirtualTime.elapsed == .zero)
        }
    }

    @Test func `cancelled tasks end before the run does`() async throws {
        let noted = Noted<String>()
        try await virtualTime {
            let task = Task {
                do {
                    try await Task.sleep(for: .seconds(10))
                } catch {
                    noted.note("\(error is CancellationError) \(VirtualTime.elapsed)")
                }
            }
            Task {
                try await Task.sleep(for: .seconds(10))
                noted.note("never")
            }
            try await Task.sleep(for: .seconds(1))
            task.cancel()
        }
        #expect(noted.all == ["true 1.0 seconds"])
    }

    @Test func `an endless task does not prolong a finished run`() async throws {
        let elapsed = try await virtualTime {
            Task { while true { await Task.yield() } }
            return VirtualTime.elapsed
        }
        #expect(elapsed == .zero)
    }

    @Test func `a body's error is thrown`() async throws {
        struct Mine: Error {}
        await #expect(throws: Mine.self) { try await virtualTime { throw Mine() } }
    }

    /// Returns the order of tasks that are ready at the same instant.
    private func order(seed: UInt64) async throws -> [Int] {
        try await virtualTime(seed: seed) {
            let order = Noted<Int>()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        try? await Task.sleep(for: .seconds(1))
                        order.note(number)
                    }
                }
            }
            return order.all
        }
    }

    @Test func `a seed determines the order`() async throws {
        #expect(try await order(seed: 0) == [0, 1, 2, 3, 4, 5])
        var orders: Set<[Int]> = []
        for seed in 1...20 as ClosedRange<UInt64> {
            let first = try await order(seed: seed)
            #expect(try await order(seed: seed) == first)
            #expect(first.sorted() == [0, 1, 2, 3, 4, 5])
            orders.insert(first)
        }
        #expect(orders.count > 15)
    }

    @MainActor @Test func `no seed changes the main actor's order`() async throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            var order: [Int] = []
            try await virtualTime(seed: seed) {
                for number in 0..<5 { Task { order.append(number) } }
                await VirtualTime.settle()
            }
            #expect(order == [0, 1, 2, 3, 4])
        }
    }
}
