import ArgumentParser
import Events
import HTTPHosts
import IndexStore
import Origin
import OriginServer
import Packager
import Timeline

/// Serves folders.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the media in folders as HTTP Live Streaming.",
        discussion: """
            Prints one line with the address once it accepts requests. Open the address in a browser, or type it on \
            a phone in the same network. Every item is also there without its picture ("background mode"): add \
            ?background=1 to its playlist. A player that can take less than others names itself with ?device=NAME, \
            such as iphone-3g, chromium or vlc, and is given what it takes: 'segue probe FILE --device NAME' explains. \
            Control-C stops it.

            Example, with test media; a folder of your own will do as well:
              segue testmedia media
              segue serve media --listen 127.0.0.1:8080 --log requests.jsonl
            """
    )

    @Argument(help: ArgumentHelp("Folders with media.", valueName: "dir"), completion: .directory)
    var folders: [String]

    @Option(
        help: ArgumentHelp(
            "Where to listen, 0.0.0.0:8080 unless named; port 0 picks a free one.",
            valueName: "host:port"
        ),
        transform: ListenAddress.init(argument:)
    )
    var listen = ListenAddress(host: "0.0.0.0", port: 8080)

    @Option(
        help: ArgumentHelp(
            "A further host name under which it may be asked where it listens on this machine alone.",
            valueName: "name"
        )
    )
    var allowHost: [String] = []

    @Option(help: "YAML files of further devices that players may name with ?device=.", completion: .yaml)
    var device: NameList?

    @Option(help: "A file for the log of requests (JSON Lines).")
    var log: String?

    @OptionGroup var indexCache: IndexCacheOption

    @Flag(help: "Do not say what was passed over.")
    var quiet = false

    @OptionGroup var delivery: DeliveryOptions

    @OptionGroup var config: ConfigOption

    func run() async throws {
        Allocator.setUp()
        let devices = try Devices(in: ProgramData.harness(), and: device?.names ?? [])
        let disk = try delivery.disk()
        let library: Library
        do {
            library = try Library(roots: folders)
        } catch {
            throw CommandFailure(error)
        }
        let count = library.items.count
        guard count > 0 else {
            library.close()
            throw CommandFailure(folders.joined(separator: ", "), "no media found; name a folder with media files")
        }
        let requests = try log.map { try LogStream($0) }
        let host = listen.host
        let responder = Responder(
            library: library,
            devices: devices,
            hosts: hosts,
            limits: delivery.limits,
            disk: disk,
            spool: Spool(),
            keeper: indexCache.keeper(byDefault: UserCaches.folder()),
            page: WebPage { LocalAddresses.reachable(listeningOn: host) },
            observer: requests.map(ServeCommand.observer)
        )
        if !quiet {
            for passed in library.passedOver {
                StandardError.write("segue: \(passed.path): \(passed.reason); passed over\n")
            }
        }
        var configuration = OriginServer.Configuration(host: listen.host, port: listen.port)
        configuration.stopsOnSignals = true
        let limit = EndingLimit(seconds: 1.7) { library.close() }
        defer { limit.stop() }
        do {
            try await OriginServer.run(configuration, responder: responder) { address in
                let shown = OriginServer.Address(
                    host: LocalAddresses.reachable(listeningOn: address.host).first ?? address.host,
                    port: address.port
                )
                StandardOutput.write("serving \(count) \(count == 1 ? "item" : "items") at http://\(shown)/\n")
            }
        } catch let error as OriginServerError {
            throw CommandFailure(error)
        }
        try requests?.end()
    }

    /// The hosts under which it may be asked; nil for any, where other machines reach it.
    private var hosts: AllowedHosts? {
        guard HostName(listen.host)?.isLoopback == true else { return nil }
        return AllowedHosts(listeningOn: listen.host, named: allowHost)
    }

    private static func observer(_ stream: LogStream) -> @Sendable (OriginExchange) -> Void {
        { stream.write(.served($0)) }
    }
}

extension EventKind {
    /// An answered request, for the log.
    fileprivate static func served(_ exchange: OriginExchange) -> EventKind {
        let response = exchange.response
        return .originServed(
            target: exchange.request.target,
            status: response.status,
            bytes: Int(response.body.length)
        )
    }
}
