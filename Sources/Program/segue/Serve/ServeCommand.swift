import ArgumentParser
import Foundation
import SegueAccess
import SegueBase
import SegueEvents
import SegueOrigin
import SeguePackager
import SegueServer
import SegueStores
import SegueSuite
import SegueWorkers

/// Serves folders.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the media in folders as HTTP Live Streaming.",
        discussion: """
            Prints one line with the address once it accepts requests. Open the address in a browser, or point the \
            camera of a phone in the same network at the code that a terminal shows. On any address but loopback the \
            server asks for the key that stands in it; 'segue access' gives out keys and passwords, --open does without. Every item is also there without its picture ("background mode"): add \
            ?background=1 to its playlist. A player that can take less than others names itself with ?device=NAME, \
            such as iphone-3g, chromium or vlc, and is given what it takes: 'segue probe FILE --device NAME' explains. \
            Control-C stops it. On SIGHUP it looks for new files, opens its logs anew and does as its configuration file \
            says by now, as far as no restart is needed. Sockets that systemd hands over (LISTEN_FDS) are served in \
            place of --listen.

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

    @Option(help: "YAML files of further devices that players may name with ?device=.", completion: .yaml)
    var device: NameList?

    @Option(help: "A file for the log of requests (JSON Lines).")
    var log: String?

    @OptionGroup var access: AccessOptions

    @OptionGroup var indexCache: IndexCacheOption

    @Flag(help: "Do not say what was passed over.")
    var quiet = false

    @Flag(help: "Serve folders in which there is no media yet, too.")
    var allowEmpty = false

    @OptionGroup var delivery: DeliveryOptions

    @OptionGroup var fairness: FairnessOptions

    @OptionGroup var announcing: AnnounceOptions

    @OptionGroup var workers: WorkerOptions

    @OptionGroup var config: ConfigOption

    func run() async throws {
        Allocator.setUp()
        let devices = try Devices(in: ProgramData.harness(), and: device?.names ?? [])
        let disk = try delivery.disk()
        let manager = ServiceManager(
            environment: ProcessInfo.processInfo.environment,
            process: ProcessInfo.processInfo.processIdentifier
        )
        let inherited = try inheritedSockets()
        let listen = inherited.widest.map { ListenAddress(host: $0.host, port: $0.port) } ?? listen
        let host = listen.host
        let files = try ProgramData.page()
        let page = try WebPage(files: files) { LocalAddresses.reachable(listeningOn: host) }
        let library: Library
        do {
            library = try Library(roots: folders, leavingOut: [delivery.cache].compactMap { $0 })
        } catch {
            throw CommandFailure(error)
        }
        let count = library.items.count
        guard count > 0 || allowEmpty else {
            library.close()
            throw CommandFailure(folders.joined(separator: ", "), "no media found; name a folder with media files")
        }
        let requests = try log.map { try LogStream($0) }
        let (door, key) = try access.door(listeningOn: host, files, requests)
        let keeper = indexCache.keeper(byDefault: UserCaches.folder())
        let processes = workers.start(reading: folders, keeper: keeper)
        defer { processes?.stop() }
        let named = NamedHosts(access.allowHost)
        let secured: AccessOptions.Secured?
        let hosts: AllowedHosts?
        do {
            secured = try access.certificate(listeningOn: host, naming: named)
            hosts = try access.hosts(listeningOn: host, secured)
        } catch let error as OriginServerError {
            throw CommandFailure(error)
        } catch let error as AccessFailure {
            throw CommandFailure(error)
        }
        let points = try access.data.points()
        let presence = NetworkPresence(
            announcing,
            NetworkAccess(needsKey: key != nil, usesTLS: secured != nil, televisionMount: key.map { "/k/\($0)" } ?? ""),
            folders: folders,
            listen,
            isQuiet: quiet
        )
        let responder = Responder(
            library: library,
            devices: devices,
            hosts: hosts,
            origins: door.rules.origins,
            limits: delivery.limits,
            disk: disk,
            spool: Spool(),
            keeper: keeper,
            work: processes,
            points: points,
            note: { [quiet] note in if !quiet { StandardError.write("segue: \(note)\n") } },
            page: page,
            mediaServer: presence.mediaServer,
            addresses: ServerAddress(
                isSecure: secured != nil,
                localAddresses: { LocalAddresses.reachable(listeningOn: host) },
                authority: { secured?.own?.authority }
            ),
            observer: requests.map(ServeCommand.observer)
        )
        if !quiet {
            for passed in library.passedOver {
                StandardError.write("segue: \(passed.path): \(passed.reason); passed over\n")
            }
        }
        var configuration = OriginServer.Configuration(host: listen.host, port: listen.port)
        configuration.stopsOnSignals = true
        configuration.inherited = inherited.sockets
        if let connections = fairness.connections { configuration.connectionLimit = connections }
        let accessLog = try fairness.log()
        configuration.fairness = fairness.fairness(amongConnections: configuration.connectionLimit, accessLog)
        configuration.door = door
        configuration.certificate = secured?.certificate
        if let fingerprint = secured?.own?.fingerprint {
            StandardError.write(
                "segue: certificates are vouched for by this machine's own authority, SHA-256 \(fingerprint)\n"
            )
        }
        let handle = ServerHandle()
        configuration.handle = handle
        let change = ServeChange(
            command: self,
            listeningOn: host,
            connections: configuration.connectionLimit,
            secured: secured,
            named: named,
            library: library,
            processes: processes,
            handle: handle
        )
        let reload = ServeReload()
        let reloading = ReopeningSignal {
            Self.tell(manager, .reloading)
            accessLog?.reopen()
            requests?.reopen()
            for line in reload.lines(changing: change.apply) { StandardError.write("segue: \(line)\n") }
            handle.lookAtCertificate()
            handle.look()
            Self.tell(manager, .ready)
        }
        defer { reloading.stop() }
        let limit = EndingLimit(seconds: 1.7, begin: { Self.tell(manager, .stopping) }, cleanUp: { library.close() })
        defer { limit.stop() }
        defer { presence.end() }
        let watchdog = manager.flatMap { manager in
            manager.interval.map { interval in
                Watchdog(manager, every: interval) {
                    Watchdog.loopsAreAlive(within: interval / 4) && processes?.report?.alive != 0
                }
            }
        }
        defer { watchdog?.stop() }
        do {
            try await OriginServer.run(configuration, responder: responder) { address in
                let shown = OriginServer.Address(
                    host: LocalAddresses.reachable(listeningOn: address.host).first ?? address.host,
                    port: address.port
                )
                let scheme = secured == nil ? "http" : "https"
                Self.tell(manager, .ready, status: "serving \(count) items")
                Self.tell(count, "\(scheme)://\(shown)/\(key.map { "k/\($0)/" } ?? "")")
                presence.begin(at: address) { responder.tellOfChanges() }
            }
        } catch let error as OriginServerError {
            throw CommandFailure(error)
        }
        accessLog?.end()
        try requests?.end()
    }

    /// The sockets that a service manager hands over; what is told of them is told.
    ///
    /// - Throws: ``CommandFailure`` where no server can listen on them.
    private func inheritedSockets() throws -> InheritedSockets {
        do {
            let inherited = try InheritedSockets(
                environment: ProcessInfo.processInfo.environment,
                process: ProcessInfo.processInfo.processIdentifier
            )
            if let notice = inherited.notice { StandardError.write("segue: \(notice)\n") }
            let addresses = inherited.sockets.map(\.address.description)
            if !addresses.isEmpty, !quiet {
                StandardError.write("segue: listens on \(addresses.joined(separator: " and ")), as handed over\n")
            }
            return inherited
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The line that is printed, and for a camera the address as a QR code on a terminal.
    private static func tell(_ count: Int, _ address: String) {
        StandardOutput.write("serving \(count) \(count == 1 ? "item" : "items") at \(address)\n")
        guard StandardError.isTerminal, let code = QRCode(address) else { return }
        StandardError.write(code.text(isColoured: TerminalLook.ofStandardError.isColoured))
    }

    private static func tell(_ manager: ServiceManager?, _ state: ServiceManager.State, status: String? = nil) {
        do throws(ServiceManager.Failure) {
            try manager?.tell(state, status: status)
        } catch {
            StandardError.write("segue: \(error)\n")
        }
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
