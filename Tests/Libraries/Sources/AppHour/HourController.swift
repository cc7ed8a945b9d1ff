import Foundation
import SegueTime

/// A controller that uses all that apps use: it polls, keeps a heartbeat, loads things beside each other and is over after an
/// hour.
@MainActor public final class HourController {
    /// The events, each with its time in seconds since 1970.
    public private(set) var events: [String] = []

    private let downloads = Downloads()
    private var timer: VirtualTimer?

    /// A controller that has not begun.
    public init() {}

    /// Goes through an hour, from the beginning of a run of virtual time on.
    public func run() async throws {
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
