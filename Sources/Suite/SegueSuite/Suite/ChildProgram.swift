internal import CSegueSystem
internal import Foundation
import Glibc
internal import SystemPackage

/// A program that runs in a process group of its own and is killed when the thread that started it ends.
///
/// swift-subprocess starts programs everywhere else. It cannot do so here: its calls are asynchronous, and workers and
/// keepers are forked copies that must not start threads of the concurrency runtime; and its children outlive a parent
/// that is killed.
package struct ChildProgram: Sendable {
    /// The process number, which is also the number of its process group.
    package let process: Int32

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The program, searched for in `PATH` unless it has a slash, and its arguments.
    ///   - folder: The working directory; nil for this process's.
    ///   - input: The descriptor that becomes its standard input.
    ///   - output: The descriptor that becomes its standard output.
    ///   - error: The descriptor that becomes its standard error.
    /// - Throws: `Errno` where the system refuses.
    package init(_ arguments: [String], in folder: String? = nil, input: Int32, output: Int32, error: Int32) throws {
        // Everything that allocates memory comes before the fork.
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let place = folder.flatMap { strdup($0) }
        defer {
            for word in words { free(word) }
            if let place { free(place) }
        }
        guard let program = words[0] else { throw Errno.noMemory }
        process = sproc_fork()
        if process == 0 {
            setpgid(0, 0)
            dup2(input, 0)
            dup2(output, 1)
            dup2(error, 2)
            signal(SIGPIPE, SIG_DFL)
            if let place, chdir(place) != 0 { _exit(1) }
            execvp(program, &words)
            _exit(127)
        }
        guard process > 0 else { throw Errno(rawValue: errno) }
    }

    /// Waits for the program to end, and kills its process group after a timeout.
    package func waitForEnd(within timeout: Duration) {
        var status: Int32 = 0
        let deadline = ContinuousClock.now + timeout
        while waitpid(process, &status, WNOHANG) == 0 {
            guard ContinuousClock.now < deadline else {
                killGroup()
                waitpid(process, &status, 0)
                return
            }
            usleep(10_000)
        }
    }

    /// Kills the program and everything that it started.
    package func killGroup() { kill(-process, SIGKILL) }
}
