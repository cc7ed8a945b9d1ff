import ArgumentParser
import Harness

@main
struct Segue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "segue",
        abstract:
            "Serves media as HTTP Live Streaming, plays it as a device would over any network, and says what broke.",
        discussion: """
            Examples:
              segue testmedia media
              segue regress media --html report.html
              segue serve media

            Exit codes: 0 everything as expected; 1 a check found something; 2 it could not run.
            """,
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, PlayCommand.self, RegressCommand.self, ValidateCommand.self, ProbeCommand.self,
            LinkCommand.self, TestMediaCommand.self, RegressFileCommand.self, AgreeCommand.self, EventsCommand.self,
            RulesCommand.self,
            SoundBordersCommand.self, CompareCommand.self,
        ]
    )

    /// Names the nearest command for one that is none.
    private static func checkCommand(_ arguments: [String]) throws {
        guard let name = arguments.first, !name.hasPrefix("-") else { return }
        let shown = configuration.subcommands.filter { $0.configuration.shouldDisplay }
        let known = configuration.subcommands.map { $0._commandName } + ["help"]
        guard !known.contains(name) else { return }
        throw CommandFailure("command", UnknownName(name, among: shown.map { $0._commandName } + ["help"]).description)
    }

    static func main() async {
        do {
            let arguments = try Configuration.expanded(Array(CommandLine.arguments.dropFirst()))
            try checkCommand(arguments)
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            CommandEnding.exit(for: error)
        }
    }
}
