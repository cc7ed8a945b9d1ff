import Foundation
import Glibc
import SegueAccess

/// A password from the terminal, standard input, or the environment, but never from an argument.
enum Password {
    private static let least = 8

    /// Asks for a new password.
    ///
    /// - Throws: ``CommandFailure`` if it is missing, too short, or too long.
    static func asked(for name: String) throws -> String {
        let password: String
        if let given = ProcessInfo.processInfo.environment["SEGUE_PASSWORD"] {
            password = given
        } else if isatty(STDIN_FILENO) == 1 {
            password = try typed("password for \(name): ")
            guard try typed("repeat: ") == password else {
                throw CommandFailure("password", "the two entries do not match; nothing was changed")
            }
        } else {
            password = readLine(strippingNewline: true) ?? ""
        }
        guard password.count >= least else {
            throw CommandFailure("password", "must have at least \(least) characters; a few words are easy to remember")
        }
        guard password.utf8.count <= PasswordHash.mostBytes else {
            throw CommandFailure("password", "must have at most \(PasswordHash.mostBytes) bytes")
        }
        return password
    }

    /// A line typed without echo.
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
        guard let line = readLine(strippingNewline: true) else {
            throw CommandFailure("password", "no password was entered")
        }
        return line
    }
}
