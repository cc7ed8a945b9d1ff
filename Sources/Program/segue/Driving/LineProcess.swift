import Foundation
import Glibc
import SegueSuite
import Synchronization

/// A program that is spoken with in lines: it has this process's end of its standard input and output, and ends with it.
final class LineProcess: Sendable {
    /// How long a line may be, in bytes.
    private static let longest = 1 << 20
    /// How much of what it said of errors is kept, in bytes.
    private static let mostWords = 4096
    /// How long the end of that is waited for, in seconds.
    private static let wordsPatience = 1.0

    private struct State {
        /// What it wrote to its standard error, the end of it.
        var words = Data()
        var isInputOpen = true
    }

    private let child: ChildProgram
    private let input: Int32
    private let output: Int32
    private let error: Int32
    private let state = Mutex(State())
    /// Signalled when all that it said of errors has been read.
    private let areWordsRead = DispatchSemaphore(value: 0)

    /// Starts a program.
    ///
    /// - Parameter arguments: The program, looked for in `PATH` where it has no slash, and its arguments.
    /// - Throws: ``CommandFailure`` where the system refuses.
    init(_ arguments: [String]) throws {
        var pipes: [(read: Int32, write: Int32)] = []
        for _ in 0..<3 {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else {
                let reason = String(cString: strerror(errno))
                for pipe in pipes { for end in [pipe.read, pipe.write] { close(end) } }
                throw CommandFailure(arguments[0], "pipe: \(reason)")
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            pipes.append((ends[0], ends[1]))
        }
        (input, output, error) = (pipes[0].write, pipes[1].read, pipes[2].read)
        defer { for end in [pipes[0].read, pipes[1].write, pipes[2].write] { close(end) } }
        do {
            child = try ChildProgram(
                arguments,
                input: pipes[0].read,
                output: pipes[1].write,
                error: pipes[2].write
            )
        } catch {
            for end in [input, output, self.error] { close(end) }
            throw CommandFailure(arguments[0], "fork: \(error)")
        }
        // A program that ends is noticed by what it says no more, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        Self.begin { [self] in readWords() }
    }

    /// Begins to hand on what it writes, a line at a time and without its end; nil when nothing more will come, with why.
    func listen(_ take: @escaping @Sendable (Data?, String) -> Void) {
        Self.begin { [self] in
            let reason = readLines { take($0, "") }
            take(nil, reason ?? ending)
        }
    }

    /// The next line, for who waits for one; nil where none comes in time.
    func line(within patience: Duration) -> String? {
        let found = Mutex<String?>(nil)
        let done = DispatchSemaphore(value: 0)
        listen { line, _ in
            let isFirst = found.withLock { found in
                guard found == nil else { return false }
                found = line.map { String(decoding: $0, as: UTF8.self) } ?? ""
                return true
            }
            if isFirst { done.signal() }
        }
        guard done.wait(timeout: .now() + patience.seconds) == .success else { return nil }
        return found.withLock { $0.flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// Sends a line, with its end; one that nobody reads any more is lost.
    func send(_ line: Data) {
        guard state.withLock({ $0.isInputOpen }) else { return }
        line.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = write(input, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    /// Closes its input, waits so long for it to end, and kills it and what it has started where it does not.
    func end(within patience: Duration) {
        let wasOpen = state.withLock { state in
            defer { state.isInputOpen = false }
            return state.isInputOpen
        }
        guard wasOpen else { return }
        close(input)
        child.waitForEnd(within: patience)
        // Processes that it started may still run.
        child.killGroup()
    }

    /// What it said last of errors; empty where it said nothing.
    var lastWords: String {
        let words = state.withLock { String(decoding: $0.words, as: UTF8.self) }
        return words.split(whereSeparator: \.isNewline).last.map { String($0.prefix(300)) } ?? ""
    }

    private var ending: String {
        // What it said last may still be read; what it has started may hold the line open for longer.
        _ = areWordsRead.wait(timeout: .now() + Self.wordsPatience)
        return lastWords.isEmpty ? "it says nothing of why" : lastWords
    }

    private func readLines(_ take: (Data) -> Void) -> String? {
        var held = Data()
        while let more = Self.read(output) {
            held += more
            while let end = held.firstIndex(of: 0x0A) {
                take(Data(held[held.startIndex..<end]))
                held = Data(held[(end + 1)...])
            }
            guard held.count <= Self.longest else { return "a line of it is longer than \(Self.longest) bytes" }
        }
        return nil
    }

    private func readWords() {
        while let more = Self.read(error) {
            state.withLock { $0.words = Data(($0.words + more).suffix(Self.mostWords)) }
        }
        areWordsRead.signal()
    }

    /// What comes next; nil for no more.
    private static func read(_ file: Int32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? Data(bytes[..<count]) : nil
        }
    }

    private static func begin(_ work: @escaping @Sendable () -> Void) {
        let thread = Thread(block: work)
        thread.name = "segue-lines"
        thread.start()
    }

    deinit {
        close(output)
        close(error)
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
