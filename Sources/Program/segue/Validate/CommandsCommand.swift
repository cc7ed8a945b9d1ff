import ArgumentParser
import Foundation
import SegueBase
import SegueData
import SeguePackager
import SegueSuite

struct CommandsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commands",
        abstract: "Sends a server requests for every route and option, and checks the responses.",
        discussion: """
            The requests cover every route with every query, method, and header field, for a film, a song, cover \
            art, a broken file, and other items that the server has. Without a URL, a temporary server with \
            media of its own is tested. For a server with access control, give the address that it prints, including \
            the key; the requests are repeated without the key and must reveal nothing.

            Examples:
              segue commands
              segue commands http://127.0.0.1:8080/
              segue commands --list

            Exit codes: 0 all responses are as expected; 1 a response is not; 2 it could not run.
            """
    )

    @Argument(help: ArgumentHelp("The server's address. (default: a temporary server)", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp("Only requests for these routes.", valueName: "route[,route]"),
        completion: .names(isList: true) { CommandTable.routes }
    )
    var route: NameList?

    @Option(.json) var json: String?

    @Option(.junit) var junit: String?

    @Option(.patience) var patience = 30.0

    @Flag(help: "List each request with the expected response and the result.")
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
            let own = try await TemporaryServer.start()
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
        if list { table.lines.forEach { StandardOutput.write($0 + "\n") } }
        for line in table.findings { StandardOutput.write(line + "\n") }
        if !quiet { StandardOutput.write(table.summary(after: seconds) + "\n") }
        try outputs.json?.write(table.json(after: seconds))
        try outputs.junit?.write(Data(table.junit.utf8))
        if table.count == 0 { throw CommandFailure("commands", "there are no requests for these routes") }
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
        // A server without any response is unreachable, not faulty.
        if let first = run.results.first, run.results.allSatisfy({ $0.status == 0 }) {
            throw CommandFailure(base.root, first.findings.first ?? "the server did not respond")
        }
        return run
    }
}
