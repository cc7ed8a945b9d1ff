import Crypto
import SegueAccess
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// A password check: one at a time, on a thread of its own, since each takes much time and memory.
///
/// Too frequent attempts are rejected without a check. Players send the password with each request, so a correct
/// password is remembered for a while by a keyed hash that only this process can compute.
final class PasswordChecker: Sendable {
    enum Outcome: Sendable {
        case right(Person)
        case wrong
        /// No check; the next attempt is allowed after a number of seconds.
        case wait(seconds: Int)
        /// No check; the queue is full.
        case busy
    }

    private struct Known {
        var password: PasswordHash
        var person: Int64
        var used: Double
    }

    private struct State {
        var slowing = LoginThrottle()
        var known: [SymmetricMark: Known] = [:]
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private typealias SymmetricMark = [UInt8]

    /// The maximum number of waiting checks.
    static let queueLimit = 16
    /// The maximum number of remembered passwords, and the seconds after their last use.
    private static let knownLimit = 256
    private static let knownFor = 900.0

    private let state = Mutex(State())
    private let secret = SymmetricKey(size: .bits256)
    /// The hash for unknown names, so that they take the same time.
    private let nobody = PasswordHash.make(of: AccessKey.make().text)
    private let clock: @Sendable () -> Double

    /// - Parameter clock: A monotonic time in seconds.
    init(clock: @escaping @Sendable () -> Double) { self.clock = clock }

    /// Checks a name and a password.
    ///
    /// - Returns: The outcome.
    func check(_ name: String, _ password: String, from address: String, in book: AccessBook) async -> Outcome {
        let mark = mark(name, password)
        if let person = known(mark, name, in: book) { return .right(person) }
        let wait = state.withLock { $0.slowing.begin(name, from: address, at: clock()) }
        if let wait { return .wait(seconds: max(1, Int(wait.rounded(.up)))) }
        guard await enter() else { return .busy }
        defer { leave() }
        let person = book.person(name)
        let hash = person?.password ?? nobody
        let isLong = password.utf8.count > PasswordHash.mostBytes
        let fits = await withCheckedContinuation { continuation in
            WorkThread.begin("password") { continuation.resume(returning: hash.matches(isLong ? "" : password)) }
        }
        guard fits, !isLong, let person else { return .wrong }
        state.withLock { state in
            let now = clock()
            state.slowing.succeed(name, from: address, at: now)
            if state.known.count >= Self.knownLimit {
                let middle = state.known.values.map(\.used).sorted()[state.known.count / 2]
                state.known = state.known.filter { $0.value.used > middle }
            }
            state.known[mark] = Known(password: hash, person: person.id, used: now)
        }
        return .right(person)
    }

    private func mark(_ name: String, _ password: String) -> SymmetricMark {
        var text = Array("\(name.utf8.count) ".utf8)
        text += name.utf8
        text += password.utf8
        return Array(HMAC<SHA256>.authenticationCode(for: text, using: secret))
    }

    /// The person of a remembered password that is still valid.
    private func known(_ mark: SymmetricMark, _ name: String, in book: AccessBook) -> Person? {
        let person = book.person(name)
        return state.withLock { state in
            let now = clock()
            guard let known = state.known[mark] else { return nil }
            guard let person, person.id == known.person, person.password == known.password,
                now - known.used < Self.knownFor
            else {
                state.known[mark] = nil
                return nil
            }
            state.known[mark]?.used = now
            return person
        }
    }

    private func enter() async -> Bool {
        let isBusy = state.withLock { $0.isTaken && $0.waiting.count >= Self.queueLimit }
        if isBusy { return false }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
        return true
    }

    private func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}
