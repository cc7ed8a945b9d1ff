import ArgumentParser
import Foundation
import SegueDiscovery

/// Lists servers in the local network.
struct FindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Lists the Segue servers in the local network, and other servers of media.",
        discussion: """
            Segue's servers are found by DNS-SD, for which avahi-daemon must run on this machine; all servers of media \
            that televisions see are found by SSDP, for which nothing else must run. It ends as soon as nothing more is \
            to come, some moments after --for seconds at the latest.

            Example:
              segue find --for 2

            Exit codes: 0 servers were found; 1 none was; 2 it could not look.
            """
    )

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How many seconds it looks at most, up to 60.", valueName: "seconds")
    )
    var time = 2.0

    @Option(.json) var json: String?

    @Flag(.quiet) var quiet = false

    func validate() throws {
        guard time > 0, time <= 60 else { throw ValidationError("--for: a number of seconds above 0, up to 60") }
    }

    func run() async throws {
        let output = try json.map(OutputFile.init)
        let listed = await ListedServer.asked(ListedServer.joined(await found()), patience: Self.patience)
        if !quiet { StandardOutput.write(listed.map { $0.line + "\n" }.joined()) }
        if let output { try output.write(JSONEncoder.readable.encode(["servers": listed])) }
        if listed.isEmpty {
            if !quiet { StandardError.write("segue: find: no server answered within \(time) s\n") }
            throw ExitCode(1)
        }
    }

    /// How long a server that was found may take to say what it is.
    private static let patience = Duration.seconds(1)

    /// What answers: by SSDP while DNS-SD is waited for.
    private func found() async -> [FoundServer] {
        let end = ContinuousClock.now + .seconds(time)
        let media = SSDPSearch(within: 1)
        let mediaEnd = min(end, ContinuousClock.now + Self.patience)
        var found: [FoundServer] = []
        do {
            found = try ServiceSearch.servers(within: .seconds(time))
        } catch {
            StandardError.write(
                "segue: find: \(error); install and start avahi-daemon to find servers that televisions do not see\n"
            )
        }
        let answers = media.answers(until: mediaEnd)
        for server in await MediaServerLook.servers(answers, patience: Self.patience)
        where !found.contains(where: { $0.id == server.id && !$0.id.isEmpty }) {
            found.append(server)
        }
        return found
    }
}
