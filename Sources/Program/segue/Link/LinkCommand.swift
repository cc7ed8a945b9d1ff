import ArgumentParser
import Foundation
import SegueData
import SegueNetworkModel
import SegueProxy

/// Puts a network between clients and servers, or answers questions about networks.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Puts a slow, lossy or broken network between any TCP client and server.",
        discussion: """
            Clients connect to --listen and reach the server at --to over the network: all connections share its rate \
            and its queue. Prints a line for each place where it listens, once it accepts connections. --listen and \
            --to may be repeated, in pairs; --config FILE describes several links. Control-C stops it.

            With --proxy it is a proxy that is named in a client's settings, a phone's for its Wi-Fi or a browser's: over \
            HTTP, with CONNECT for HTTPS, or SOCKS 5, on one port. All servers are then reached over the one network, and \
            a name that is asked for first costs a question over it. Whoever reaches the port may use it: let it listen \
            on 127.0.0.1, or name with --proxy-host the servers that may be reached.

            With --netem Linux itself is the network, for the command that follows after --: it runs in a namespace from \
            which this machine, under the address in $SEGUE_SERVER, is reached over the network. That takes root, and for \
            delay and loss a kernel with sch_netem.

            With --list it says which networks there are; --draw makes a picture of one; with --estimate how long a download over one takes. Then \
            nothing is sent: the model of the network is asked, which follows every packet of handshake, request and \
            response. Where packets are lost, --seeds N asks it N times.

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

            Exit codes: 0 answered, or stopped; with --netem the command's; 2 it could not run, or a download comes to a stop for good.
            """
    )

    @Option(
        help: ArgumentHelp("Where clients connect; port 0 picks a free one.", valueName: "host:port"),
        transform: ListenAddress.init(argument:)
    )
    var listen: [ListenAddress] = []

    @Option(
        help: ArgumentHelp("The server that they reach.", valueName: "host:port"),
        transform: ListenAddress.init(argument:)
    )
    var to: [ListenAddress] = []

    @Option(
        help: ArgumentHelp(
            "Where to be a forward proxy, for HTTP, CONNECT and SOCKS 5; port 0 picks a free one.",
            valueName: "host:port"
        ),
        transform: ListenAddress.init(argument:)
    )
    var proxy: [ListenAddress] = []

    @Option(
        help: ArgumentHelp(
            "A host that clients of --proxy may reach; *.example.com for all below it. (default: any)",
            valueName: "name"
        )
    )
    var proxyHost: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "With --proxy: whether a name's first use, and one each minute, costs a question over the network."
    )
    var shapeNames = true

    @Option(
        help: ArgumentHelp("Where links can be watched and changed: page and API.", valueName: "host:port"),
        transform: ListenAddress.init(argument:)
    )
    var control: ListenAddress?

    @Option(.allowedHost) var allowHost: [String] = []

    @Flag(help: "Have Linux be the network, with network namespaces and tc.")
    var netem = false

    @Argument(
        parsing: .postTerminator,
        help: "With --netem: what to run at the far end; without, the network stays until Control-C."
    )
    var command: [String] = []

    @Flag(help: "List the networks that come with the program.")
    var list = false

    @Option(
        help: ArgumentHelp("Draw a network: rate and delay in time, as SVG.", valueName: "name|file"),
        completion: .names(of: .networks)
    )
    var draw: String?

    @Option(help: "The file for --draw; standard output unless named.")
    var output: String?

    @Option(help: ArgumentHelp("How long downloads of these sizes take.", valueName: "bytes[,bytes]"))
    var estimate: NameList?

    @Option(.network) var network: String?

    @Option(
        help:
            "What the connection has behind it: new, reused (one to five such downloads, by the seed), or idle:SECONDS."
    )
    var connection = ConnectionOption(state: .new)

    @Option(help: "With which TLS the connection is opened: 1.2 or 1.3; none unless named.")
    var tls: TLSOption?

    @Option(
        help: ArgumentHelp(
            "How much a client lets be unread and on its way to it on a connection: 64 KiB, 3 MiB, or tuned, as Linux does. (default: tuned)",
            valueName: "tuned|size"
        )
    )
    var receiveWindow: ReceiveWindowOption?

    @Option(help: "How many downloads of that size share the network; the time is the last one's.")
    var parallel = 1

    @Option(help: "How many longer downloads are asked for first, and not read.")
    var unread = 0

    @Option(help: "How many seeds the model is asked with.")
    var seeds = 1

    @Option(.json) var json: String?

    @Option(.seed) var seed: UInt64 = 1

    @Option(help: "A file for the log of connections and requests (JSON Lines).")
    var log: String?

    @Flag(help: "Do not print connections.") var quiet = false

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
        let isConfigured = config.config != nil && !list && !netem && estimate == nil && draw == nil
        let runs = !listen.isEmpty || !to.isEmpty || !proxy.isEmpty || isConfigured
        guard [list, estimate != nil, draw != nil, runs, netem].count(where: { $0 }) == 1 else {
            throw ValidationError(
                "name --listen and --to HOST:PORT, or --proxy HOST:PORT, or --netem, or --list, or --draw NAME, or --estimate BYTES"
            )
        }
        if !allowHost.isEmpty, control == nil { throw ValidationError("--allow-host goes with --control only") }
        if proxy.isEmpty, !proxyHost.isEmpty || !shapeNames {
            throw ValidationError(
                "--proxy-host and --no-shape-names go with --proxy only; a --config has keys for them"
            )
        }
        if output != nil, draw == nil { throw ValidationError("--output goes with --draw only") }
        if netem, network == nil { throw ValidationError("--netem needs --network NAME or FILE") }
        if !netem, !command.isEmpty { throw ValidationError("a command is run with --netem only") }
        guard listen.count == to.count else {
            throw ValidationError("each --listen needs a --to, and each --to a --listen")
        }
        if !listen.isEmpty || !proxy.isEmpty, network == nil {
            throw ValidationError("--\(listen.isEmpty ? "proxy" : "listen") needs --network NAME or FILE")
        }
        if receiveWindow != nil, listen.isEmpty, proxy.isEmpty, estimate == nil {
            throw ValidationError(
                "--receive-window goes with --listen, --proxy or --estimate; a --config has receive-window"
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
                throw CommandFailure(profile.name, "a download of \(bytes) bytes comes to a stop for good")
            }
            found.append(spread)
            StandardOutput.write(Self.line(spread, seeds: seeds) + "\n")
        }
        try output?.write(JSONEncoder.readable.encode(found))
    }

    private func drawing(of name: String, _ harness: HarnessFolder) throws {
        let profile = try LinkProfile(contentsOfFile: harness.file(name, of: .networks))
        let picture = NetworkPicture.svg(of: profile)
        guard let output else { return StandardOutput.write(picture) }
        try OutputFile(output).write(Data(picture.utf8))
    }

    /// The links that are to be run.
    private func links(_ harness: HarnessFolder) throws -> [LinkPlan] {
        let described = try config.config.map { try LinkFile.plans(at: $0, harness) } ?? []
        guard !listen.isEmpty || !proxy.isEmpty else {
            guard !described.isEmpty else { throw CommandFailure(config.config ?? "link", "describes no links") }
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

/// A version of TLS, as the command line says it.
struct TLSOption: ExpressibleByArgument {
    static let allValueStrings = TLSVersion.allCases.map(\.rawValue)

    let version: TLSVersion

    init?(argument: String) {
        guard let version = TLSVersion(rawValue: argument) else { return nil }
        self.version = version
    }
}

/// A receive window, as the command line says it.
struct ReceiveWindowOption: ExpressibleByArgument {
    static let allValueStrings = ["tuned", "SIZE"]

    let window: ReceiveWindow

    init?(argument: String) {
        guard let window = ReceiveWindow(argument) else { return nil }
        self.window = window
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
