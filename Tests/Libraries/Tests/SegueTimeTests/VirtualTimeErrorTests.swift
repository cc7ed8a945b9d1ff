import Foundation
import SegueTime
import Synchronization
import Testing

/// What cannot go on is told of, with where it stands, and harms no other run.
@Suite struct VirtualTimeErrorTests {
    /// How long a run is waited for that cannot go on; what is asserted does not hang on it.
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

    @Test func aSemaphoreThatNobodySignals() async throws {
        let error = await failure { waitInVain() }
        guard case .stuck(after: .zero, let waits) = error else { throw try #require(error) }
        #expect(waits.count == 1)
        #expect(waits[0].contains("waiting for a semaphore"))
        #expect(waits[0].contains("waitInVain") && waits[0].contains("aSemaphoreThatNobodySignals"))
        // What is Segue's own says nothing to anybody else.
        #expect(!waits[0].contains("VirtualRun") && !waits[0].contains("thunk"))
        #expect(try await virtualTime { 1 } == 1)
    }

    @Test func aTaskThatNobodyResumes() async throws {
        let error = await failure {
            try await Task.sleep(for: .seconds(7))
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        guard case .stuck(after: .seconds(7), let waits) = error else { throw try #require(error) }
        #expect(waits.isEmpty)
    }

    @MainActor @Test func aQueueThatWaitsForItself() async throws {
        let error = await failure { syncOnMain() }
        guard case .stuck(_, let waits) = error else { throw try #require(error) }
        #expect(waits.first?.contains("the main queue, by sync") == true)
        #expect(waits.first?.contains("syncOnMain") == true)
    }

    @Test func aLoopThatDoesNotEnd() async throws {
        let isOver = Switch()
        let error = await failure { spin(until: isOver) }
        isOver.turnOn()
        guard case .blocked(_, _, let place) = error else { throw try #require(error) }
        #expect(place.contains("spin") && place.contains("aLoopThatDoesNotEnd"))
    }

    @Test func timeThatGoesOnAndOn() async throws {
        let error = await failure(limit: .seconds(100)) {
            while true { try await Task.sleep(for: .seconds(1)) }
        }
        guard case .limit(.seconds(100)) = error else { throw try #require(error) }
    }

    @Test func anInstantThatDoesNotEnd() async throws {
        let error = await failure(patience: .seconds(60)) { while true { await Task.yield() } }
        guard case .standstill(at: .zero, _) = error else { throw try #require(error) }
    }

    @Test func aRunWithinARun() async throws {
        let error = await failure { try await virtualTime {} }
        guard case .nested = error else { throw try #require(error) }
    }

    @Test func whatComesFromAThreadOutside() async throws {
        let body: @Sendable () async -> Void = {
            let waits = Switch()
            // Not before the run has gone on to this: what comes back before it is waited for comes from nowhere.
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

    @Test func aRunThatWasGivenUpGoesOnNoMore() async throws {
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

/// Something that is off until it is turned on.
private final class Switch: Sendable {
    private let state = Atomic(false)

    var isOn: Bool { state.load(ordering: .relaxed) }
    func turnOn() { state.store(true, ordering: .relaxed) }
}

@inline(never) private func waitInVain() {
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
