import Foundation
import Glibc
import SegueSuite
import Synchronization

/// A child program that communicates in lines over its standard input and output, and ends with this object.
final class LineProcess: Sendable {
    /// The maximum length of a line in bytes.
    private static let longest = 1 << 20
    /// The number of bytes of standard error to keep.
    private static let mostWords = 4096
    /// The time to wait for the end of standard error, in seconds.
    private static let wordsPatience = 1.0

    private struct State {
        /// The end of its standard error.
        var words = Data()
        var isInputOpen = true
    }

    private let child: ChildProgram
    private let input: Int32
    private let output: Int32
    private let error: Int32
    private let state = Mutex(State())
    /// Signaled when standard error has been read completely.
    private let areWordsRead = DispatchSemaphore(value: 0)

    /// - Throws: ``CommandFailure`` if it cannot be started.
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
        // The end of the program shows in its output, not as a signal.
        signal(SIGPIPE, SIG_IGN)
        Self.begin { [self] in readWords() }
    }

    /// Begins to deliver its output line by line, without line feeds.
    ///
    /// At the end it delivers nil and the reason.
    func listen(_ take: @escaping @Sendable (Data?, String) -> Void) {
        Self.begin { [self] in
            let reason = readLines { take($0, "") }
            take(nil, reason ?? ending)
        }
    }

    /// The next line; nil after a timeout.
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

    /// Sends a line that includes its line feed; it is lost if the program has ended.
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

    /// Closes its input, waits for its end, and kills it and its children after a timeout.
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

    /// The last line of its standard error; empty without any.
    var lastWords: String {
        let words = state.withLock { String(decoding: $0.words, as: UTF8.self) }
        return words.split(whereSeparator: \.isNewline).last.map { String($0.prefix(300)) } ?? ""
    }

    private var ending: String {
        // The last line may still be on its way, and children may hold the pipe open for longer.
        _ = areWordsRead.wait(timeout: .now() + Self.wordsPatience)
        return lastWords.isEmpty ? "no error message" : lastWords
    }

    private func readLines(_ take: (Data) -> Void) -> String? {
        var held = Data()
        while let more = Self.read(output) {
            held += more
            while let end = held.firstIndex(of: 0x0A) {
                take(Data(held[held.startIndex..<end]))
                held = Data(held[(end + 1)...])
            }
            guard held.count <= Self.longest else { return "a line exceeds \(Self.longest) bytes" }
        }
        return nil
    }

    private func readWords() {
        while let more = Self.read(error) {
            state.withLock { $0.words = Data(($0.words + more).suffix(Self.mostWords)) }
        }
        areWordsRead.signal()
    }

    /// The next bytes; nil at the end.
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
