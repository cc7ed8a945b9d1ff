import Foundation
import SegueTime
import Synchronization
import Testing

/// A run that cannot continue ends with an error and its place, without affecting other runs.
@Suite struct VirtualTimeErrorTests {
    /// The timeout of a run that cannot continue, which the assertions do not depend on.
    private static let patience = Duration.milliseconds(200)

    private func failure(
        limit: Duration = .seconds(86_400),
        patience: Duration = VirtualTimeErrorTests.patience,
        isolation: isolated (any Actor)? = #isolation,
        of body: @escaping () async throws -> Void
    ) async -> VirtualTimeError? {
        do {
            try await virtualTime(limit: limit, patience: patience, body)
            return nil
        } catch {
            return error as? VirtualTimeError
        }
    }

    @Test func `a semaphore without a signal is stuck`() async throws {
        let error = await failure { waitForever() }
        guard case .stuck(after: .zero, let waits) = error else { throw try #require(error) }
        #expect(waits.count == 1)
        #expect(waits[0].contains("waiting for a semaphore"))
        #expect(waits[0].contains("waitForever") && waits[0].contains("VirtualTimeErrorTests"))
        // Segue's own symbols are irrelevant to users.
        #expect(!waits[0].contains("VirtualRun") && !waits[0].contains("thunk"))
        #expect(try await virtualTime { 1 } == 1)
    }

    @Test func `a task without a resume is stuck`() async throws {
        let error = await failure {
            try await Task.sleep(for: .seconds(7))
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        guard case .stuck(after: .seconds(7), let waits) = error else { throw try #require(error) }
        #expect(waits.isEmpty)
    }

    @MainActor @Test func `a queue that waits for itself is stuck`() async throws {
        let error = await failure { syncOnMain() }
        guard case .stuck(_, let waits) = error else { throw try #require(error) }
        #expect(waits.first?.contains("the main queue, by sync") == true)
        #expect(waits.first?.contains("syncOnMain") == true)
    }

    @Test func `an endless loop is blocked`() async throws {
        let isOver = Switch()
        let error = await failure { spin(until: isOver) }
        isOver.turnOn()
        guard case .blocked(_, _, let place) = error else { throw try #require(error) }
        #expect(place.contains("spin") && place.contains("VirtualTimeErrorTests"))
    }

    @Test func `endless sleeps reach the limit`() async throws {
        let error = await failure(limit: .seconds(100)) {
            while true { try await Task.sleep(for: .seconds(1)) }
        }
        guard case .limit(.seconds(100)) = error else { throw try #require(error) }
    }

    @Test func `an endless instant is a standstill`() async throws {
        let error = await failure(patience: .seconds(60)) { while true { await Task.yield() } }
        guard case .standstill(at: .zero, _) = error else { throw try #require(error) }
    }

    @Test func `a run within a run is nested`() async throws {
        let error = await failure { try await virtualTime {} }
        guard case .nested = error else { throw try #require(error) }
    }

    @Test func `work from an outside thread has escaped`() async throws {
        let body: @Sendable () async -> Void = {
            let waits = Switch()
            // Only after the run has reached this: work that arrives before the wait has no source.
            Task { waits.turnOn() }
            await withCheckedContinuation { continuation in
                Thread {
                    spin(until: waits)
                    comeBack(to: continuation)
                }.start()
            }
        }
        let error = await failure(patience: .seconds(60)) { await body() }
        guard case .escaped(let places) = error else { throw try #require(error) }
        #expect(places.first?.contains("comeBack") == true)
        try await virtualTime(patience: .seconds(60), escapes: .allowed) { await body() }
    }

    @Test func `an abandoned run does not continue`() async throws {
        let isOver = Switch(), wentOn = Switch()
        let error = await failure {
            spin(until: isOver)
            await Task.yield()
            wentOn.turnOn()
        }
        #expect(error != nil)
        isOver.turnOn()
        try await virtualTime { try await Task.sleep(for: .seconds(1)) }
        #expect(!wentOn.isOn)
    }
}

/// A switch that is off until it is turned on.
private final class Switch: Sendable {
    private let state = Atomic(false)

    var isOn: Bool { state.load(ordering: .relaxed) }
    func turnOn() { state.store(true, ordering: .relaxed) }
}

@inline(never) private func waitForever() {
    DispatchSemaphore(value: 0).wait()
}

@inline(never) private func syncOnMain() {
    DispatchQueue.main.sync {}
}

@inline(never) private func spin(until isOver: Switch) {
    while !isOver.isOn {}
}

@inline(never) private func comeBack(to continuation: CheckedContinuation<Void, Never>) {
    continuation.resume()
}
