import ArgumentParser
import SegueData

/// The root command.
struct Segue: AsyncParsableCommand {
    static let programVersion = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "segue",
        abstract:
            "Serves media as HTTP Live Streaming, plays it like a device over any network, and reports what breaks.",
        discussion: """
            Examples:
              segue testmedia media
              segue regress media --html report.html
              segue serve media

            Exit codes: 0 everything is as expected; 1 a check found a problem; 2 the command could not run.
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
            RulesCommand.self, AudioBordersCommand.self, ContentCommand.self, WorkerCommand.self,
        ]
    )

    /// Suggests the nearest command for an unknown one.
    private static func checkCommand(_ arguments: [String]) throws {
        guard let name = arguments.first, !name.hasPrefix("-") else { return }
        let shown = configuration.subcommands.filter { $0.configuration.shouldDisplay }
        let known = configuration.subcommands.map { $0._commandName } + ["help"]
        guard !known.contains(name) else { return }
        throw CommandFailure("command", UnknownName(name, among: shown.map { $0._commandName } + ["help"]).description)
    }

    /// The command for arguments.
    ///
    /// - Throws: A parse error, or a request for help.
    static func command(_ arguments: [String]) throws -> any ParsableCommand {
        let arguments = try Configuration.expanded(arguments)
        try checkCommand(arguments)
        return try parseAsRoot(arguments)
    }
}
