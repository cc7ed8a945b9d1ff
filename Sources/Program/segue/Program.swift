import ArgumentParser
import Dispatch
import Foundation

/// The entry point of the program.
///
/// Synchronous commands run before anything else begins, on the only thread: the forked workers that they start require
/// that.
@main
enum Program {
    static func main() {
        // Exceeding a file size limit is an ordinary error, not the end of the program. Unlike ignoring the signal, a
        // handler is not inherited by child programs.
        signal(SIGXFSZ) { _ in }
        do {
            try checkText()
            let command = try Segue.command(Array(CommandLine.arguments.dropFirst()))
            guard let command = command as? any AsyncParsableCommand else { return try run(command) }
            // The command is passed on as a whole and not used here again.
            nonisolated(unsafe) let handed = command
            Task { await run(handed) }
        } catch {
            CommandExit.exit(for: error)
        }
        dispatchMain()
    }

    /// Throws if an argument is not UTF-8: in the strings of Swift, a file name would be another one.
    private static func checkText() throws {
        for (number, argument) in CommandLine.arguments.enumerated() where argument.contains("\u{fffd}") {
            guard let bytes = CommandLine.unsafeArgv[number], String(validatingCString: bytes) == nil else { continue }
            throw CommandFailure(
                "argument \(number) (\(argument))",
                "is not UTF-8; name its folder, which may contain such names, or rename the file"
            )
        }
    }

    private static func run(_ command: any ParsableCommand) throws {
        var command = command
        try command.run()
    }

    private static func run(_ command: sending any AsyncParsableCommand) async {
        do {
            var command = command
            try await command.run()
            exit(0)
        } catch {
            CommandExit.exit(for: error)
        }
    }
}
