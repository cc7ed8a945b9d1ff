import ArgumentParser
import SegueData

/// The program's commands.
struct Segue: AsyncParsableCommand {
    /// The version of the program.
    static let programVersion = "0.1.0"

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
        version: programVersion,
        subcommands: [
            ServeCommand.self, AccessCommand.self, PlayCommand.self, RegressCommand.self, ExploreCommand.self,
            MergeCommand.self,
            JudgeCommand.self, ObserveCommand.self,
            CompareCommand.self, HistoryCommand.self, ValidateCommand.self, WatchCommand.self, ProbeCommand.self,
            LinkCommand.self,
            TestMediaCommand.self, FindCommand.self, CommandsCommand.self, AgreeCommand.self, EventsCommand.self,
            FieldsCommand.self,
            RulesCommand.self, SoundBordersCommand.self, ContentCommand.self, WorkerCommand.self,
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

    /// The command that arguments ask for.
    ///
    /// - Throws: What is wrong with them, or a request for help.
    static func command(_ arguments: [String]) throws -> any ParsableCommand {
        let arguments = try Configuration.expanded(arguments)
        try checkCommand(arguments)
        return try parseAsRoot(arguments)
    }
}
