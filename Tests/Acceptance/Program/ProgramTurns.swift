import Foundation

/// Lets a few tests at a time run programs, so that no program waits for a processor longer than its own limits allow.
///
/// All tests start at once. Without a limit, so many programs start together that one that needs a second when it is
/// alone does not answer within thirty.
actor ProgramTurns {
    private static let shared = ProgramTurns()
    /// Whether the current test has a turn: nested calls belong to it.
    @TaskLocal private static var isInTurn = false

    private var free = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits for a turn, and runs an operation that starts programs.
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

    /// Passes the turn to the longest-waiting test.
    private func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
