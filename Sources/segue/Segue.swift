import ArgumentParser

@main
struct Segue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "segue",
        abstract:
            "Serves media as HTTP Live Streaming, plays it as a device would over any network, and says what broke.",
        discussion: """
            Examples:
              segue serve ~/Movies
              segue regress ~/Movies --html report.html
              segue regress movie.mp4 --platform ios-4.3 --network wifi,3g --app switch-if-was-playing,switch-when-ready

            Exit codes: 0 everything as expected; 1 a check found something; 2 it could not run.
            """,
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, PlayCommand.self, RegressCommand.self, ProbeCommand.self, TestMediaCommand.self,
            RegressFileCommand.self, EventsCommand.self,
        ]
    )

    static func main() async {
        do {
            let arguments = try Configuration.expanded(Array(CommandLine.arguments.dropFirst()))
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
