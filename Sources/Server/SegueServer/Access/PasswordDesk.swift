import Crypto
import SegueAccess
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// Where passwords are looked at: one at a time, on a thread of its own, as each takes a while and much memory.
///
/// Those who try too often are sent away before.
/// A player sends its password with each request; one that was right is known for a while by a checksum that only this
/// process can make.
final class PasswordDesk: Sendable {
    /// What came of a try.
    enum Outcome: Sendable {
        case right(Person)
        case wrong
        /// Nothing was looked at: one has to wait so many seconds.
        case wait(seconds: Int)
        /// Nothing was looked at: too many wait already.
        case busy
    }

    private struct Known {
        var password: PasswordHash
        var person: Int64
        var used: Double
    }

    private struct State {
        var slowing = LoginSlowing()
        var known: [SymmetricMark: Known] = [:]
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private typealias SymmetricMark = [UInt8]

    /// How many may wait for their turn.
    static let queueLimit = 16
    /// How many right passwords are known, and for how long after they were used, in seconds.
    private static let mostKnown = 256
    private static let knownFor = 900.0

    private let state = Mutex(State())
    private let secret = SymmetricKey(size: .bits256)
    /// What is tried for a name that nobody has, so that it takes as long.
    private let nobody = PasswordHash.make(of: AccessKey.make().text)
    private let clock: @Sendable () -> Double

    /// A desk.
    ///
    /// - Parameter clock: The time in seconds, from any beginning.
    init(clock: @escaping @Sendable () -> Double) { self.clock = clock }

    /// Looks whether a name and a password go together.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - password: The password.
    ///   - address: Where they come from.
    ///   - book: Who is known.
    /// - Returns: What came of it.
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
            if state.known.count >= Self.mostKnown {
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

    /// The person of a name and password that were right a while ago, and still are.
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
