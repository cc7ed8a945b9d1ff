import CSegueSandbox
import Foundation
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// A child process at the other end of a socket; it ends with the socket.
final class StartedProcess: Sendable {
    /// A process that could not be started.
    struct Refusal: Error, CustomStringConvertible {
        /// One line for people.
        let description: String
    }

    /// The process ID.
    let number: pid_t
    /// The server's end of the socket.
    let line: Int32
    /// A descriptor that becomes readable when the process ends; negative if the system has none.
    private let ending: Int32
    /// The wait status, once it is known.
    private let status = Mutex<Int32?>(nil)

    /// Starts a program.
    ///
    /// It gets the socket as its standard input, no other file, and an almost empty environment. The calling thread has
    /// to live as long as the process.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments, without the program.
    /// - Throws: ``Refusal``.
    init(_ program: String, _ arguments: [String]) throws(Refusal) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Refusal(description: "socketpair: \(String(cString: strerror(errno)))")
        }
        line = ends[0]
        defer { close(ends[1]) }
        for end in ends {
            var size: Int32 = 1 << 20
            setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        do {
            number = try Self.spawn(program, arguments, line: ends[1])
        } catch {
            close(line)
            throw error
        }
        ending = ssand_ending(number)
    }

    deinit {
        close(line)
        if ending >= 0 { close(ending) }
        if ended == nil { OrphanReaper.ofThisProcess.take(number) }
    }

    private static func spawn(_ program: String, _ arguments: [String], line: Int32) throws(Refusal) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0, posix_spawnattr_init(&attributes) == 0 else {
            throw Refusal(description: "posix_spawn: no memory")
        }
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        // Control-C in a terminal is for the server only, which ends the workers itself.
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | Int32(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawn_file_actions_adddup2(&actions, line, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var environment = ["SWIFT_BACKTRACE=enable=no"]
        if let libraries = getenv("LD_LIBRARY_PATH") {
            environment.append("LD_LIBRARY_PATH=\(String(cString: libraries))")
        }
        var words: [UnsafeMutablePointer<CChar>?] = (["segue"] + arguments).map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for text in words + settings { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, program, &actions, &attributes, &words, &settings)
        guard code == 0 else { throw Refusal(description: "posix_spawn: \(String(cString: strerror(code)))") }
        return process
    }

    /// Kills the process; it may take a moment to end.
    func kill() {
        status.withLock { status in
            // After the wait its number may belong to another process.
            if status == nil { Glibc.kill(number, SIGKILL) }
        }
    }

    /// The wait status, or nil while the process runs.
    var ended: Int32? {
        status.withLock { status in
            if let status { return status }
            var found: Int32 = 0
            guard waitpid(number, &found, WNOHANG) == number else { return nil }
            status = found
            return found
        }
    }

    /// Blocks until the process has ended.
    ///
    /// - Returns: The wait status, or nil if the process is still running.
    func waitForEnd(milliseconds: Int32) -> Int32? {
        if let ended { return ended }
        var ends = pollfd(fd: ending, events: Int16(POLLIN), revents: 0)
        poll(&ends, 1, milliseconds)
        return ended
    }

    /// The processor time of all its threads; zero after its end.
    var processorTime: Duration {
        .nanoseconds(SystemClock.process(number)?.nanoseconds ?? 0)
    }

    /// The resident memory in bytes.
    var residentBytes: Int64 {
        let file = open("/proc/\(number)/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = read(file, &text, text.count)
        let fields = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int64(fields[1]) else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
