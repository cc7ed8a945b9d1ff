import Foundation

/// Lets a few tests at a time run programs, so that none waits for its processor longer than a program's own limits.
///
/// All tests begin at once. Without turns, so many programs start together that one which is ready in a second alone has
/// not answered after thirty.
actor ProgramTurns {
    private static let shared = ProgramTurns()
    /// Whether the test has a turn: what it runs within is part of it.
    @TaskLocal private static var isInTurn = false

    private var free = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Does something that runs programs, when it is its turn.
    static func take<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Result
    ) async throws -> Result {
        if isInTurn { return try await work() }
        await shared.begin()
        do {
            let result = try await $isInTurn.withValue(true) { try await work() }
            await shared.end()
            return result
        } catch {
            await shared.end()
            throw error
        }
    }

    private func begin() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// Hands the turn to who waits longest.
    private func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
