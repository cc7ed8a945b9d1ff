/// The commands of a run, in the order in which answers bring them up, and what came of them.
///
/// It sends nothing: whoever runs it takes the ``next()`` command, in as many places at once as they like, and hands the
/// answer back.
package struct CommandRun: Sendable {
    /// What came of a command.
    package struct Result: Sendable {
        /// The command.
        package var command: ServerCommand
        /// What was not as it must be.
        package var findings: [String]
        /// The status that came.
        package var status: Int
        /// How long the answer took.
        package var seconds: Double
    }

    /// A bound on what answers may bring up: a server whose answers never end it would keep it busy for ever.
    package static let mostCommands = 20_000

    /// What came of the commands so far, in the order of their answers.
    package private(set) var results: [Result] = []
    private var waiting: [ServerCommand]
    private var first = 0
    private var known: Set<String> = []

    /// How many commands are known by now.
    package var count: Int { waiting.count }

    /// A run of these commands, and of those that they lead to.
    package init(_ commands: [ServerCommand]) {
        waiting = []
        add(commands)
    }

    /// The command that is to be sent next; nil where there is none at the moment.
    package mutating func next() -> ServerCommand? {
        guard first < waiting.count else { return nil }
        defer { first += 1 }
        return waiting[first]
    }

    /// Takes the answer to a command.
    package mutating func take(_ answer: CommandAnswer, to command: ServerCommand, after seconds: Double) {
        var findings = command.expected.compactMap { $0.check(answer) }
        // What follows from the answer would all fail for the same reason.
        if findings.isEmpty { add(command.next(answer)) }
        if let failure = answer.failure, !findings.contains(failure) { findings.append(failure) }
        results.append(Result(command: command, findings: findings, status: answer.status, seconds: seconds))
    }

    private mutating func add(_ commands: [ServerCommand]) {
        for command in commands where known.count < Self.mostCommands {
            if known.insert(Self.key(of: command)).inserted { waiting.append(command) }
        }
    }

    /// The same request for the same reason is sent once.
    private static func key(of command: ServerCommand) -> String {
        let headers = command.headers.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
        return [command.method, command.target, headers, command.name, "\(command.key)"].joined(separator: "\n")
    }
}
