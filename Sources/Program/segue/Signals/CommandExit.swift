import ArgumentParser
import Foundation
import Glibc
import SegueBase

/// The failure of a command: the subject and the reason.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ what: String, _ why: String) { description = "\(what): \(why)" }

    init(_ error: any Error) { description = "\(error)" }
}

/// The end of the program: help on standard output, an error as one line on standard error, and the exit code.
enum CommandExit {
    static func exit(for error: any Error) -> Never {
        if let code = error as? ExitCode { Glibc.exit(code.rawValue) }
        let message = Segue.fullMessage(for: error)
        if Segue.exitCode(for: error) == .success {
            StandardOutput.write(message + "\n")
            Glibc.exit(0)
        }
        if Segue.exitCode(for: error) == .validationFailure {
            fail(usage(Segue.message(for: error)))
        }
        fail("\(error)")
    }

    private static func fail(_ text: String) -> Never {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        StandardError.write("segue: \(line)\n")
        Glibc.exit(2)
    }

    /// The argument parser's message in the style of other errors.
    private static func usage(_ message: String) -> String {
        var words = message
        if words.hasPrefix("Error: ") { words.removeFirst("Error: ".count) }
        while words.last == "." || words.last == " " { words.removeLast() }
        let joint = words.hasSuffix("?") ? "" : ";"
        return
            "command line: \(words.prefix(1).lowercased() + words.dropFirst())\(joint) see segue help"
    }
}

enum StandardError {
    /// Writes lines; control characters, which may come from others, are made visible.
    static func write(_ text: String) { StandardOutput.write(text, to: STDERR_FILENO) }

    /// Writes text unchanged, including the control sequences of this program.
    static func write(raw text: String) { StandardOutput.write(raw: text, to: STDERR_FILENO) }

    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

/// Unbuffered standard output, so that readers see each line at once.
///
/// All text on the terminal goes through here: what others have written, from file names to messages of servers, must not
/// control the terminal.
enum StandardOutput {
    /// Writes lines; control characters, which may come from others, are made visible.
    static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        write(raw: ControlCharacters.shownLines(text), to: descriptor)
    }

    /// Writes lines with colors.
    static func write(colored text: String) { write(raw: ControlCharacters.shownLines(text, keepsColors: true)) }

    /// Writes a JSON document and a line feed.
    static func write(json: some DataProtocol) {
        write(raw: ControlCharacters.shownJSON(String(decoding: json, as: UTF8.self)) + "\n")
    }

    /// Writes text unchanged, including the control sequences of this program.
    static func write(raw text: String, to descriptor: Int32 = STDOUT_FILENO) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
