import Foundation
import SegueAccess
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// The keys and people in the database, read at most four times a second and never on an event loop.
final class AccessCache: Sendable {
    private struct State {
        var book: AccessBook
        var looked: ContinuousClock.Instant
        var isLooking = false
        /// The sessions whose last use is being stored.
        var noting: Set<[UInt8]> = []
        var isTroubled = false
    }

    /// The maximum age of the data; a change is visible to the first request afterwards.
    private static let interval = Duration.milliseconds(250)

    private let records: any AccessRecords
    private let notice: @Sendable (String) -> Void
    private let state: Mutex<State>
    /// The state that was read last; locked while reading, so that an older state cannot replace a newer one.
    private let reading = Mutex<AccessState?>(nil)

    /// - Parameters:
    ///   - notice: Receives one line when the database becomes unreadable.
    /// - Throws: ``AccessFailure``.
    init(_ records: any AccessRecords, notice: @escaping @Sendable (String) -> Void) throws {
        (self.records, self.notice) = (records, notice)
        state = Mutex(State(book: AccessBook(), looked: .now))
        try update()
    }

    /// The current keys and people.
    ///
    /// While one request reads the database, others use the previous data.
    var book: AccessBook {
        get async {
            let isDue = state.withLock { state in
                guard !state.isLooking, .now - state.looked >= Self.interval else { return false }
                state.isLooking = true
                return true
            }
            if isDue { try? await change { _ in } }
            return state.withLock { $0.book }
        }
    }

    /// The keys and people that were read last.
    var latest: AccessBook { state.withLock { $0.book } }

    /// Changes the database and reads it again.
    func change(_ work: @escaping @Sendable (any AccessRecords) throws -> Void) async throws {
        let result = await withCheckedContinuation { continuation in
            WorkThread.begin("access") { [self] in
                let result = Result {
                    try work(records)
                    read()
                }
                continuation.resume(returning: result)
            }
        }
        try result.get()
    }

    /// Stores the last use of a session if it is due, without blocking.
    func note(_ session: Session, at now: Int64) {
        guard now - session.used >= Session.noteInterval,
            state.withLock({ $0.noting.insert(session.digest.bytes).inserted })
        else { return }
        WorkThread.begin("access") { [self] in
            // After a failure the next request tries again.
            try? records.note(session, usedAt: now)
            read()
            _ = state.withLock { $0.noting.remove(session.digest.bytes) }
        }
    }

    private func update() throws {
        try reading.withLock { last in
            let fresh = try records.book(since: last)
            if let fresh { last = fresh.state }
            state.withLock { state in
                if let fresh { state.book = fresh.book }
                (state.looked, state.isLooking, state.isTroubled) = (.now, false, false)
            }
        }
    }

    private func read() {
        do {
            try update()
        } catch {
            let isNews = state.withLock { state in
                defer { (state.looked, state.isLooking, state.isTroubled) = (.now, false, true) }
                return !state.isTroubled
            }
            if isNews { notice("\(error); the server continues with the keys and people read before") }
        }
    }
}
