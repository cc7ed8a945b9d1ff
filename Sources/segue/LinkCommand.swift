import ArgumentParser
import Foundation
import Harness
import Link

/// Answers questions about networks: which there are, and how long a download over one takes.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Says which networks there are, and how long a download over one takes.",
        discussion: """
            Nothing is sent: the model of the network is asked, which follows every packet of handshake, request and \
            response. Where packets are lost, --seeds N asks it N times.

            Examples:
              segue link --list
              segue link --estimate 200000,1048576 --network 3g
              segue link --estimate 1048576 --network wifi-lossy --connection reused --seeds 200 --json times.json

            Exit codes: 0 answered; 2 it could not run, or a download comes to a stop for good.
            """
    )

    @Flag(help: "List the networks that come with the program.")
    var list = false

    @Option(help: ArgumentHelp("How long downloads of these sizes take.", valueName: "bytes[,bytes]"))
    var estimate: NameList?

    @Option(help: "The network: a name or a YAML file.")
    var network: String?

    @Option(help: "What the connection has behind it: new, reused, or idle:SECONDS.")
    var connection = ConnectionOption(state: .new)

    @Option(help: "How many seeds the model is asked with.")
    var seeds = 1

    @Option(help: "A file for the times as JSON.")
    var json: String?

    @OptionGroup var config: ConfigOption

    /// The sizes that are asked for.
    private func sizes() throws -> [Int] {
        try (estimate?.names ?? []).map { name in
            guard let bytes = Int(name), (0...1_000_000_000).contains(bytes) else {
                throw ValidationError("--estimate \(name): must be a number of bytes from 0 to 1000000000")
            }
            return bytes
        }
    }

    func validate() throws {
        guard list != (estimate != nil) else { throw ValidationError("name either --list or --estimate BYTES") }
        if estimate != nil, network == nil { throw ValidationError("--estimate needs --network NAME or FILE") }
        guard (1...100_000).contains(seeds) else { throw ValidationError("--seeds must be from 1 to 100000") }
        _ = try sizes()
    }

    func run() async throws {
        let harness = try ProgramData.harness()
        guard !list else { return StandardOutput.write(try NetworkList.text(of: harness)) }
        let output = try json.map(OutputFile.init)
        let profile = try LinkProfile(contentsOfFile: harness.file(network ?? "", of: .networks))
        let estimate = DownloadEstimate(over: profile, on: connection.state)
        var found: [DownloadEstimate.Spread] = []
        for bytes in try sizes() {
            guard let spread = estimate.spread(bytes, seeds: seeds) else {
                throw CommandFailure(profile.name, "a download of \(bytes) bytes comes to a stop for good")
            }
            found.append(spread)
            StandardOutput.write(Self.line(spread, seeds: seeds) + "\n")
        }
        try output?.write(JSONEncoder.readable.encode(found))
    }

    private static func line(_ spread: DownloadEstimate.Spread, seeds: Int) -> String {
        let shown = { (seconds: Double) in String(format: "%.6f s", seconds) }
        guard seeds > 1 else { return "\(spread.bytes) bytes: \(shown(spread.mean))" }
        return "\(spread.bytes) bytes: mean \(shown(spread.mean)), median \(shown(spread.median)), "
            + "from \(shown(spread.least)) to \(shown(spread.most)) with \(seeds) seeds"
    }
}

/// What a connection has behind it, as the command line says it.
struct ConnectionOption: ExpressibleByArgument {
    static let allValueStrings = ["new", "reused", "idle:SECONDS"]

    let state: DownloadEstimate.ConnectionState

    init(state: DownloadEstimate.ConnectionState) { self.state = state }

    init?(argument: String) {
        switch argument {
        case "new": state = .new
        case "reused": state = .reused
        default:
            let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == "idle", let seconds = Double(parts[1]),
                (0...1_000_000).contains(seconds)
            else { return nil }
            state = .idle(.seconds(seconds))
        }
    }

    var defaultValueDescription: String { "new" }
}
