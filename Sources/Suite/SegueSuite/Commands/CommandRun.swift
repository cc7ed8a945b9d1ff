import DequeModule

/// The commands of a run with their results, in the order in which responses produce them.
///
/// It performs no I/O. The caller takes ``next()`` commands, any number of them in parallel, and passes the responses
/// back.
package struct CommandRun: Sendable {
    /// The result of a command.
    package struct Result: Sendable {
        package var command: ServerCommand
        /// The unmet expectations.
        package var findings: [String]
        /// The status of the response.
        package var status: Int
        /// The time of the response.
        package var seconds: Double
    }

    /// The bound on the number of commands, for servers whose responses lead to more without end.
    package static let mostCommands = 20_000

    /// The results in the order of the responses.
    package private(set) var results: [Result] = []
    private var live: Deque<ServerCommand> = []
    private var waiting: Deque<ServerCommand> = []
    private var known: Set<String> = []

    /// The number of known commands.
    package var count: Int { known.count }

    /// A run of commands and of those that they lead to.
    package init(_ commands: [ServerCommand]) { add(commands) }

    /// The next command to send; nil if there is none at the moment.
    ///
    /// Commands for live resources come first, since a channel deletes what a playlist listed a while ago.
    package mutating func next() -> ServerCommand? { live.popFirst() ?? waiting.popFirst() }

    /// Handles the response to a command.
    package mutating func take(_ answer: CommandResponse, to command: ServerCommand, after seconds: Double) {
        var findings = command.expected.compactMap { $0.check(answer) }
        // Commands that follow from a wrong response would all fail for the same reason.
        if findings.isEmpty { add(command.next(answer)) }
        if let failure = answer.failure, !findings.contains(failure) { findings.append(failure) }
        results.append(Result(command: command, findings: findings, status: answer.status, seconds: seconds))
    }

    private mutating func add(_ commands: [ServerCommand]) {
        for command in commands where known.count < Self.mostCommands {
            guard known.insert(Self.key(of: command)).inserted else { continue }
            if command.isLive { live.append(command) } else { waiting.append(command) }
        }
    }

    /// The key by which identical commands are sent once.
    private static func key(of command: ServerCommand) -> String {
        let headers = command.headers.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
        return [command.method, command.target, headers, command.name, "\(command.key)"].joined(separator: "\n")
    }
}
