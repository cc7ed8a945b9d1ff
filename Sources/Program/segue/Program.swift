import ArgumentParser
import Dispatch
import Foundation

/// The program's way in.
///
/// Commands that are no tasks run before anything else has begun, on the only thread that there is: what they start as
/// copies of the process needs that.
@main
enum Program {
    static func main() {
        // What a limit on a file's size refuses is an error like others, not the end of the program. A handler, unlike
        // ignoring it, ends with the program and is not inherited by what it runs.
        signal(SIGXFSZ) { _ in }
        do {
            let command = try Segue.command(Array(CommandLine.arguments.dropFirst()))
            guard let command = command as? any AsyncParsableCommand else { return try run(command) }
            // Handed on whole: nobody else has it.
            nonisolated(unsafe) let handed = command
            Task { await run(handed) }
        } catch {
            CommandEnding.exit(for: error)
        }
        dispatchMain()
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
            CommandEnding.exit(for: error)
        }
    }
}
