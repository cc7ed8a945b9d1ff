import Foundation
import SegueAccess
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// What is known of who may come in, as it is in the database, asked for seldom and never on an event loop.
final class AccessDesk: Sendable {
    private struct State {
        var book: AccessBook
        var looked: ContinuousClock.Instant
        var isLooking = false
        /// Sessions whose use is being written down.
        var noting: Set<[UInt8]> = []
        var isTroubled = false
    }

    /// How long what was read holds; a change shows at the first request after.
    private static let interval = Duration.milliseconds(250)

    private let records: any AccessRecords
    private let notice: @Sendable (String) -> Void
    private let state: Mutex<State>
    /// The state of what was read last; held while it is read, so that what was read first does not come last.
    private let reading = Mutex<AccessState?>(nil)

    /// Reads what there is.
    ///
    /// - Parameters:
    ///   - records: Where it is kept.
    ///   - notice: Told in one line when it can be read no more.
    /// - Throws: ``AccessFailure``.
    init(_ records: any AccessRecords, notice: @escaping @Sendable (String) -> Void) throws {
        (self.records, self.notice) = (records, notice)
        state = Mutex(State(book: AccessBook(), looked: .now))
        try update()
    }

    /// What is known now.
    ///
    /// While one request waits for a look, others go by what was read before.
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

    /// Changes something, and reads what there is then.
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

    /// Writes down that a session is used, where that is due, without anybody waiting for it.
    func note(_ session: Session, at now: Int64) {
        guard now - session.used >= Session.noteInterval,
            state.withLock({ $0.noting.insert(session.digest.bytes).inserted })
        else { return }
        WorkThread.begin("access") { [self] in
            // One that cannot be written down is due again with the next request.
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
            if isNews { notice("\(error); keys and people stay as they were known") }
        }
    }
}
