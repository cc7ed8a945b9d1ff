import Foundation
import Glibc
import SegueAccess

/// A password as somebody gives it: at the terminal, on standard input or in the environment, never as an argument.
enum Password {
    private static let least = 8

    /// Asks for a new password.
    ///
    /// - Throws: ``CommandFailure`` where none comes, or one that is too short or too long.
    static func asked(for name: String) throws -> String {
        let password: String
        if let given = ProcessInfo.processInfo.environment["SEGUE_PASSWORD"] {
            password = given
        } else if isatty(STDIN_FILENO) == 1 {
            password = try typed("password for \(name): ")
            guard try typed("once more: ") == password else {
                throw CommandFailure("password", "the two are not the same; nothing was changed")
            }
        } else {
            password = readLine(strippingNewline: true) ?? ""
        }
        guard password.count >= least else {
            throw CommandFailure("password", "it has fewer than \(least) characters; a few words are easy to remember")
        }
        guard password.utf8.count <= PasswordHash.mostBytes else {
            throw CommandFailure("password", "it has more than \(PasswordHash.mostBytes) bytes")
        }
        return password
    }

    /// A line that is typed without being seen.
    private static func typed(_ question: String) throws -> String {
        var usual = termios()
        guard tcgetattr(STDIN_FILENO, &usual) == 0 else {
            throw CommandFailure("terminal", "tcgetattr: \(String(cString: strerror(errno)))")
        }
        var silent = usual
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else {
            throw CommandFailure("terminal", "tcsetattr: \(String(cString: strerror(errno)))")
        }
        defer {
            _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &usual)
            StandardError.write("\n")
        }
        StandardError.write(question)
        guard let line = readLine(strippingNewline: true) else { throw CommandFailure("password", "none was typed") }
        return line
    }
}
