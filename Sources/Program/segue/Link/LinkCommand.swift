import ArgumentParser
import Foundation
import SegueData
import SegueNetworkModel
import SegueProxy

// Size: the command's options, a property for each.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Simulates a slow, lossy, or faulty network between any TCP client and server.",
        discussion: """
            Clients connect to --listen and reach the server at --to over the network; all connections share its \
            rate and its queue. One line per listening address is printed once connections are accepted. --listen \
            and --to may be repeated, in pairs; --config FILE describes several links. Control-C stops it.

            With --proxy it is a forward proxy for the settings of a client, such as a phone's Wi-Fi or a browser: \
            HTTP, with CONNECT for HTTPS, and SOCKS 5 on one port. All servers are reached over the one network, and \
            the first use of a host name costs a DNS query over it. Everyone who reaches the port can use the proxy: \
            listen on 127.0.0.1, or limit the servers with --proxy-host.

            With --netem the Linux kernel simulates the network for the command after --. The command runs in a \
            network namespace, in which $SEGUE_SERVER is the address of this machine over the network. This requires \
            root, and for delay and loss a kernel with sch_netem.

            --list lists the networks, --draw draws one, and --estimate computes the duration of a download over \
            one. Nothing is sent: the model simulates every packet of handshake, request, and response. For networks \
            with packet loss, --seeds N repeats it with N seeds.

            Examples:
              segue link --listen 127.0.0.1:8081 --to 127.0.0.1:8080 --network 3g --control 127.0.0.1:8082
              segue link --proxy 127.0.0.1:8080 --network 3g --log requests.jsonl
              sudo segue link --netem --network 3g -- sh -c 'curl -O http://$SEGUE_SERVER:8080/'
              segue link --list
              segue link --draw train --output train.svg
              segue link --estimate 200000,1048576 --network 3g
              segue link --estimate 200000 --network lte --tls 1.3
              segue link --estimate 400000 --network 3g --unread 1
              segue link --estimate 1048576 --network wifi-lossy --connection reused --seeds 200 --json times.json

            Exit codes: 0 it finished or was stopped; with --netem, the command's exit code; 2 it could not run, or \
            a download never ends.
            """
    )

    @Option(
        help: ArgumentHelp("The address for clients; port 0 picks a free port.", valueName: "host:port"),
        transform: ListenAddress.init(argument:)
    )
    var listen: [ListenAddress] = []

    @Option(
        help: ArgumentHelp("The server for these clients.", valueName: "host:port"),
        transform: ListenAddress.init(argument:)
    )
    var to: [ListenAddress] = []

    @Option(
        help: ArgumentHelp(
            "The address of a forward proxy for HTTP, CONNECT, and SOCKS 5; port 0 picks a free port.",
            valueName: "host:port"
        ),
        transform: ListenAddress.init(argument:)
    )
    var proxy: [ListenAddress] = []

    @Option(
        help: ArgumentHelp(
            "A host that clients of --proxy may reach, or *.example.com for its subdomains. (default: any)",
            valueName: "name"
        )
    )
    var proxyHost: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "With --proxy: whether the first use of a host name each minute costs a DNS query over the network."
    )
    var shapeNames = true

    @Option(
        help: ArgumentHelp(
            "The address of the control page and API, which show and change links.",
            valueName: "host:port"
        ),
        transform: ListenAddress.init(argument:)
    )
    var control: ListenAddress?

    @Option(.allowedHost) var allowHost: [String] = []

    @Flag(help: "Let the Linux kernel simulate the network, with network namespaces and tc.")
    var netem = false

    @Argument(
        parsing: .postTerminator,
        help: "With --netem: the command to run; without one, the network exists until Control-C."
    )
    var command: [String] = []

    @Flag(help: "List the built-in networks.")
    var list = false

    @Option(
        help: ArgumentHelp("Draw the rate and delay of a network over time as SVG.", valueName: "name|file"),
        completion: .names(of: .networks)
    )
    var draw: String?

    @Option(help: ArgumentHelp("The file for --draw. (default: standard output)", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Compute the duration of downloads of these sizes.", valueName: "bytes[,bytes]"))
    var estimate: NameList?

    @Option(.network) var network: String?

    @Option(
        help:
            "The state of the connection: new, reused (after one to five such downloads, by the seed), or idle:SECONDS."
    )
    var connection = ConnectionOption(state: .new)

    @Option(help: "The TLS version of the connection: 1.2 or 1.3. (default: no TLS)")
    var tls: TLSOption?

    @Option(
        help: ArgumentHelp(
            "The TCP receive window of clients: a size such as 64KiB or 3MiB, or tuned as by Linux. (default: tuned)",
            valueName: "tuned|size"
        )
    )
    var receiveWindow: ReceiveWindowOption?

    @Option(
        help: ArgumentHelp(
            "The number of parallel downloads of that size; the time is that of the last one.",
            valueName: "count"
        )
    )
    var parallel = 1

    @Option(
        help: ArgumentHelp("The number of longer downloads that are requested first and not read.", valueName: "count")
    )
    var unread = 0

    @Option(help: ArgumentHelp("The number of seeds to simulate.", valueName: "count"))
    var seeds = 1

    @Option(.json) var json: String?

    @Option(.seed) var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Write a log of connections and requests to a file (JSON Lines).", valueName: "file"))
    var log: String?

    @Flag(help: "Do not print connections.") var quiet = false

    @OptionGroup var config: ConfigOption

    /// The requested download sizes.
    private func sizes() throws -> [Int] {
        try (estimate?.names ?? []).map { name in
            guard let bytes = Int(name), (0...1_000_000_000).contains(bytes) else {
                throw ValidationError("--estimate \(name): must be a number of bytes from 0 to 1000000000")
            }
            return bytes
        }
    }

    func validate() throws {
        let isConfigured = config.config != nil && !list && !netem && estimate == nil && draw == nil
        let runs = !listen.isEmpty || !to.isEmpty || !proxy.isEmpty || isConfigured
        guard [list, estimate != nil, draw != nil, runs, netem].count(where: { $0 }) == 1 else {
            throw ValidationError(
                "give --listen and --to HOST:PORT, or --proxy HOST:PORT, or --netem, or --list, or --draw NAME, or --estimate BYTES"
            )
        }
        if !allowHost.isEmpty, control == nil { throw ValidationError("--allow-host requires --control") }
        if proxy.isEmpty, !proxyHost.isEmpty || !shapeNames {
            throw ValidationError(
                "--proxy-host and --no-shape-names require --proxy; for --config, use its keys"
            )
        }
        if output != nil, draw == nil { throw ValidationError("--output requires --draw") }
        if netem, network == nil { throw ValidationError("--netem needs --network NAME or FILE") }
        if !netem, !command.isEmpty { throw ValidationError("a command requires --netem") }
        guard listen.count == to.count else {
            throw ValidationError("each --listen needs a --to, and each --to a --listen")
        }
        if !listen.isEmpty || !proxy.isEmpty, network == nil {
            throw ValidationError("--\(listen.isEmpty ? "proxy" : "listen") needs --network NAME or FILE")
        }
        if receiveWindow != nil, listen.isEmpty, proxy.isEmpty, estimate == nil {
            throw ValidationError(
                "--receive-window requires --listen, --proxy, or --estimate; for --config, use its key receive-window"
            )
        }
        if estimate != nil, network == nil { throw ValidationError("--estimate needs --network NAME or FILE") }
        guard (1...1000).contains(parallel) else { throw ValidationError("--parallel must be from 1 to 1000") }
        guard (0...1000).contains(unread) else { throw ValidationError("--unread must be from 0 to 1000") }
        guard (1...100_000).contains(seeds) else { throw ValidationError("--seeds must be from 1 to 100000") }
        _ = try sizes()
    }

    func run() async throws {
        let harness = try ProgramData.harness()
        if netem {
            let profile = try LinkProfile(contentsOfFile: harness.file(network ?? "", of: .networks))
            let code = try await NetemRun(profile: profile, command: command, quiet: quiet).run()
            if code != 0 { throw ExitCode(code) }
            return
        }
        guard list || draw != nil || estimate != nil else {
            let run = LinkRun(
                links: try links(harness),
                harness: harness,
                control: control,
                allowedHosts: allowHost,
                log: log,
                quiet: quiet
            )
            return try await run.run()
        }
        guard !list else { return StandardOutput.write(try NetworkList.text(of: harness)) }
        if let draw { return try drawing(of: draw, harness) }
        let output = try json.map(OutputFile.init)
        let profile = try LinkProfile(contentsOfFile: harness.file(network ?? "", of: .networks))
        let estimate = DownloadEstimate(
            over: profile,
            on: connection.state,
            tls: tls?.version,
            parallel: parallel,
            unread: unread,
            receiveWindow: receiveWindow?.window ?? .tuned
        )
        var found: [DownloadEstimate.Spread] = []
        for bytes in try sizes() {
            guard let spread = estimate.spread(bytes, seeds: seeds) else {
                throw CommandFailure(profile.name, "a download of \(bytes) bytes never ends")
            }
            found.append(spread)
            StandardOutput.write(Self.line(spread, seeds: seeds) + "\n")
        }
        try output?.write(JSONEncoder.readable.encode(found))
    }

    private func drawing(of name: String, _ harness: HarnessFolder) throws {
        let profile = try LinkProfile(contentsOfFile: harness.file(name, of: .networks))
        let picture = NetworkDiagram.svg(of: profile)
        guard let output else { return StandardOutput.write(picture) }
        try OutputFile(output).write(Data(picture.utf8))
    }

    /// The links to run.
    private func links(_ harness: HarnessFolder) throws -> [LinkPlan] {
        let described = try config.config.map { try LinkFile.plans(at: $0, harness) } ?? []
        guard !listen.isEmpty || !proxy.isEmpty else {
            guard !described.isEmpty else { throw CommandFailure(config.config ?? "link", "contains no links") }
            return described
        }
        let profile = try LinkProfile(contentsOfFile: harness.file(network ?? "", of: .networks))
        let routes = zip(listen, to).map { LinkPlan.Route(listen: Endpoint($0), server: Endpoint($1)) }
        let proxies = proxy.map { LinkPlan.Route(listen: Endpoint($0), server: nil) }
        let plan = LinkPlan(
            name: profile.name,
            network: profile,
            seed: seed,
            receiveWindow: receiveWindow?.window ?? .tuned,
            routes: routes + proxies,
            forwarding: ForwardRules(hosts: proxyHost, shapesNames: shapeNames)
        )
        return described + [plan]
    }

    private static func line(_ spread: DownloadEstimate.Spread, seeds: Int) -> String {
        let shown = { (seconds: Double) in String(format: "%.6f s", seconds) }
        guard seeds > 1 else { return "\(spread.bytes) bytes: \(shown(spread.mean))" }
        return "\(spread.bytes) bytes: mean \(shown(spread.mean)), median \(shown(spread.median)), "
            + "from \(shown(spread.least)) to \(shown(spread.most)) with \(seeds) seeds"
    }
}

/// The value of `--tls`.
struct TLSOption: ExpressibleByArgument {
    static let allValueStrings = TLSVersion.allCases.map(\.rawValue)

    let version: TLSVersion

    init?(argument: String) {
        guard let version = TLSVersion(rawValue: argument) else { return nil }
        self.version = version
    }
}

/// The value of `--receive-window`.
struct ReceiveWindowOption: ExpressibleByArgument {
    static let allValueStrings = ["tuned", "SIZE"]

    let window: ReceiveWindow

    init?(argument: String) {
        guard let window = ReceiveWindow(argument) else { return nil }
        self.window = window
    }
}

/// The value of `--connection`.
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
