internal import CSegueSystem
internal import Foundation
internal import Glibc
internal import SegueConcurrency
internal import SegueFFmpeg

/// A server that a title list starts, running while this object exists.
///
/// A keeper process starts and stops it, even if this process is killed.
package final class StartedServer {
    /// The failure to start.
    package struct Failure: Error, CustomStringConvertible {
        /// One line that includes the server's last output.
        package let description: String
    }

    /// The interval between readiness checks, in microseconds.
    private static let interval: UInt32 = 100_000

    private let keeper: pid_t
    /// A socket that closes when this process ends for any reason.
    private let line: Int32

    /// Starts the server, and waits until it is ready.
    ///
    /// `isReady` requests a URL once, and returns whether the status is below 400; called in a process of its own.
    ///
    /// - Throws: ``Failure`` if it exits with an error or is not ready in time; everything is stopped then.
    package init(_ commands: ServerCommands, isReady: (String) -> Bool) throws {
        let words = try NamelessFile()
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Self.failure("socketpair")
        }
        keeper = sproc_fork()
        if keeper == 0 {
            close(ends[1])
            ServerKeeper(commands, words: words.descriptor, line: ends[0]).run()
        }
        close(ends[0])
        line = ends[1]
        guard keeper > 0 else {
            close(line)
            throw Self.failure("fork")
        }
        let asker = sproc_fork()
        if asker == 0 {
            let deadline = ContinuousClock.now + commands.patience
            while ContinuousClock.now < deadline {
                if isReady(commands.ready) { _exit(0) }
                usleep(Self.interval)
            }
            _exit(1)
        }
        guard asker > 0 else {
            end()
            throw Self.failure("fork")
        }
        try waitForAnswer(of: asker, to: commands, words: words)
    }

    deinit { end() }

    private func waitForAnswer(of asker: pid_t, to commands: ServerCommands, words: NamelessFile) throws {
        while true {
            var status: Int32 = 0
            if waitpid(asker, &status, WNOHANG) == asker {
                if status == 0 { return }
                let seconds = Int(commands.patience / .seconds(1))
                throw stopped("\(commands.ready) was not ready in \(seconds) s", words)
            }
            if waitpid(keeper, &status, WNOHANG) == keeper {
                kill(asker, SIGKILL)
                waitpid(asker, &status, 0)
                throw stopped("'\(commands.start)' failed", words)
            }
            usleep(Self.interval / 4)
        }
    }

    private func stopped(_ why: String, _ words: NamelessFile) -> Failure {
        end()
        let said = String(decoding: WorkerFiles.contents(of: words.descriptor), as: UTF8.self)
        let last = said.split(whereSeparator: \.isNewline).last.map { ": \($0.prefix(300))" } ?? ""
        return Failure(description: "the titles' server: \(why)\(last)")
    }

    /// Stops the server, and waits for its end.
    private func end() {
        close(line)
        var status: Int32 = 0
        while waitpid(keeper, &status, 0) < 0, errno == EINTR {}
    }

    private static func failure(_ call: String) -> Failure {
        Failure(description: "the titles' server: \(call): \(String(cString: strerror(errno)))")
    }
}

/// The process that starts and stops a server.
private struct ServerKeeper {
    /// The time that a command has to end before it is killed.
    private static let patience = Duration.seconds(5)

    private let commands: ServerCommands
    private let words: Int32
    private let line: Int32

    init(_ commands: ServerCommands, words: Int32, line: Int32) {
        (self.commands, self.words, self.line) = (commands, words, line)
    }

    /// Starts the server and stops it when the socket closes; exits with 1 if the server failed.
    func run() -> Never {
        // The terminal's signals are meant for the parent, and the keeper must outlive it.
        setsid()
        sproc_outlive()
        guard let server = start(commands.start) else { _exit(1) }
        var hasEnded = false
        while true {
            var ends = pollfd(fd: line, events: 0, revents: 0)
            let hasBroken = poll(&ends, 1, 100) > 0
            var status: Int32 = 0
            if !hasEnded, waitpid(server.process, &status, WNOHANG) == server.process {
                hasEnded = true
                // A server that put itself into the background exits with 0.
                if status != 0 {
                    server.killGroup()
                    _exit(1)
                }
            }
            if hasBroken { break }
        }
        if let stop = commands.stop { start(stop)?.waitForEnd(within: Self.patience) }
        kill(-server.process, SIGTERM)
        if !hasEnded { server.waitForEnd(within: Self.patience) }
        server.killGroup()
        _exit(0)
    }

    private func start(_ command: String) -> ChildProgram? {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(nothing) }
        let arguments = ["/bin/sh", "-c", command]
        return try? ChildProgram(arguments, in: commands.folder, input: nothing, output: words, error: words)
    }
}
