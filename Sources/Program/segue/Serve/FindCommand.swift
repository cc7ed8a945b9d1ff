import ArgumentParser
import Foundation
import SegueDiscovery

struct FindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Lists Segue servers and other media servers on the local network.",
        discussion: """
            Segue servers are found by DNS-SD, which requires avahi-daemon on this machine. All media servers that \
            televisions see are found by SSDP, which requires nothing else. The search ends when all servers have \
            responded, at the latest shortly after --for seconds.

            Example:
              segue find --for 2

            Exit codes: 0 servers were found; 1 no server was found; 2 the search failed.
            """
    )

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The maximum duration of the search in seconds, up to 60.", valueName: "seconds")
    )
    var time = 2.0

    @Option(.json) var json: String?

    @Flag(.quiet) var quiet = false

    func validate() throws {
        guard time > 0, time <= 60 else { throw ValidationError("--for must be above 0 and at most 60 seconds") }
    }

    func run() async throws {
        let output = try json.map(OutputFile.init)
        let listed = await ListedServer.asked(ListedServer.joined(await found()), patience: Self.patience)
        if !quiet { StandardOutput.write(listed.map { $0.line + "\n" }.joined()) }
        if let output { try output.write(JSONEncoder.readable.encode(["servers": listed])) }
        if listed.isEmpty {
            if !quiet { StandardError.write("segue: find: no server responded within \(time) s\n") }
            throw ExitCode(1)
        }
    }

    /// The time that a found server has to describe itself.
    private static let patience = Duration.seconds(1)

    /// Searches by SSDP and DNS-SD at the same time.
    private func found() async -> [FoundServer] {
        let end = ContinuousClock.now + .seconds(time)
        let media = SSDPSearch(within: 1)
        let mediaEnd = min(end, ContinuousClock.now + Self.patience)
        var found: [FoundServer] = []
        do {
            found = try ServiceSearch.servers(within: .seconds(time))
        } catch {
            StandardError.write(
                "segue: find: \(error); install and start avahi-daemon to find servers that are announced by DNS-SD only\n"
            )
        }
        let answers = media.answers(until: mediaEnd)
        for server in await MediaServerProbe.servers(answers, patience: Self.patience)
        where !found.contains(where: { $0.id == server.id && !$0.id.isEmpty }) {
            found.append(server)
        }
        return found
    }
}
