import ArgumentParser
import Foundation
import SegueBase
import SegueData
import SeguePackager
import SegueSuite

/// Sends a server every command that it has, and looks at what comes back.
struct CommandsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commands",
        abstract: "Sends a server every command that it has, and looks at what comes back.",
        discussion: """
            Every route with every query, method and header field, for a film, a song, cover art, a broken file and \
            so on, as far as the server has them. Without a URL, a server of its own is asked, with media made for \
            it. A server that asks for a key is named with it, as it prints its address; it is asked without it, too, and must \
            tell nothing then.

            Examples:
              segue commands
              segue commands http://127.0.0.1:8080/
              segue commands --list

            Exit codes: 0 all came back as it must; 1 something did not; 2 it could not run.
            """
    )

    @Argument(help: ArgumentHelp("The server's address. (default: a server of its own)", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp("Only commands of these routes.", valueName: "route[,route]"),
        completion: .names(isList: true) { CommandTable.routes }
    )
    var route: NameList?

    @Option(.json) var json: String?

    @Option(.junit) var junit: String?

    @Option(.patience) var patience = 30.0

    @Flag(help: "List each command with what must come back, and how it did.")
    var list = false

    @Flag(.quiet) var quiet = false

    @OptionGroup var config: ConfigOption

    func validate() throws {
        guard patience > 0, patience <= 86_400 else {
            throw ValidationError("--patience must be above 0 and at most 86400 seconds")
        }
        if let wrong = route?.names.first(where: { !CommandTable.routes.contains($0) }) {
            throw ValidationError("--route \(UnknownName(wrong, among: CommandTable.routes))")
        }
    }

    func run() async throws {
        let outputs = try (json: json.map(OutputFile.init), junit: junit.map(OutputFile.init))
        let begun = ContinuousClock.now
        let devices = try Devices(in: ProgramData.harness(), and: []).names
        let run: CommandRun
        if let url {
            run = try await ask(ServerBase(url), devices)
        } else {
            let own = try await OwnServer.start()
            do {
                run = try await ask(own.base, devices)
            } catch {
                await own.stop()
                throw error
            }
            await own.stop()
        }
        let table = CommandTable(run, routes: route?.names)
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        if list { table.lines.forEach { print($0) } }
        for line in table.findings { print(line) }
        if !quiet { print(table.summary(after: seconds)) }
        try outputs.json?.write(table.json(after: seconds))
        try outputs.junit?.write(Data(table.junit.utf8))
        if table.count == 0 { throw CommandFailure("commands", "there are none of these routes") }
        if !table.findings.isEmpty { throw ExitCode(1) }
    }

    private func ask(_ base: ServerBase, _ devices: [String]) async throws -> CommandRun {
        let catalogue = CommandCatalogue(
            ServerFacts(
                devices: devices,
                isLoopback: base.isLoopback,
                hasKey: base.key != nil
            )
        )
        let sender = CommandSender(base: base, patience: .seconds(patience), headers: [])
        var progress = ProgressLine("commands", isQuiet: quiet)
        let run = try await sender.send(CommandRun(catalogue.beginning)) { run in
            progress.show(done: run.results.count, total: run.count, item: run.results.last?.command.target ?? "")
        }
        progress.end()
        // One that nobody answers at is no server with many faults.
        if let first = run.results.first, run.results.allSatisfy({ $0.status == 0 }) {
            throw CommandFailure(base.root, first.findings.first ?? "nothing was answered")
        }
        return run
    }
}
