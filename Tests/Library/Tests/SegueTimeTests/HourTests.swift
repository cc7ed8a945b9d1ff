import Foundation
import SegueTime
import Testing

/// An hour of a controller that uses all that apps use, the same each time.
@Suite struct HourTests {
    /// Polls, keeps a heartbeat, loads things beside each other and falls asleep after an hour.
    @MainActor private final class Controller {
        private(set) var events: [String] = []
        private let downloads = Downloads()
        private var timer: VirtualTimer?

        func run() async throws {
            timer = VirtualTimer.scheduledTimer(withTimeInterval: 30, repeats: true) { [weak self] _ in
                MainActor.assumeIsolated { self?.tell("beat") }
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + 1800) { [weak self] in self?.tell("half") }
            let poll = Task {
                while !Task.isCancelled {
                    try await Task.sleep(for: .seconds(7))
                    tell("poll \(await downloads.count)")
                }
            }
            for number in 0..<60 {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for part in 0..<4 {
                        group.addTask { [downloads] in try await downloads.load(number * 4 + part) }
                    }
                    for try await part in group { tell("part \(part)") }
                }
                try await Task.sleep(for: .seconds(57))
            }
            try await Task.sleep(until: .now + .seconds(3600) - VirtualTime.elapsed, clock: .continuous)
            poll.cancel()
            timer?.invalidate()
        }

        private func tell(_ event: String) { events.append("\(Date().timeIntervalSince1970) \(event)") }
    }

    private actor Downloads {
        private(set) var count = 0

        func load(_ number: Int) async throws -> Int {
            try await Task.sleep(for: .milliseconds(500 * (1 + number % 3)))
            count += 1
            return number
        }
    }

    @MainActor private func hour(seed: UInt64) async throws -> [String] {
        let controller = Controller()
        let elapsed = try await virtualTime(seed: seed) {
            try await controller.run()
            return VirtualTime.elapsed
        }
        #expect(elapsed == .seconds(3600))
        return controller.events
    }

    @Test func isTheSameEachTime() async throws {
        let first = try await hour(seed: 0)
        #expect(first.count(where: { $0.hasSuffix("beat") }) == 120)
        #expect(first.count(where: { $0.contains("part") }) == 240)
        #expect(first.count(where: { $0.contains("poll") }) == 514)
        #expect(first.count(where: { $0.hasSuffix("half") }) == 1)
        for _ in 0..<50 { #expect(try await hour(seed: 0) == first) }
        let other = try await hour(seed: 7)
        #expect(try await hour(seed: 7) == other)
        // What a poll counts hangs on the order, and nothing else.
        let parts = { (events: [String]) in events.filter { !$0.contains("poll") }.sorted() }
        #expect(parts(other) == parts(first) && other != first)
    }
}
