import ArgumentParser
import Foundation
import SegueBase
import SegueEvents
import SegueOrigin
import SeguePackager
import SegueServer
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

    @Flag(help: "Do not print the files that are skipped.") var quiet = false

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
        let sockets = try inheritedSockets()
        let listen = sockets.widest.map { ListenAddress(host: $0.host, port: $0.port) } ?? listen
        let host = listen.host
        let files = try ProgramData.page()
        let page = try WebPage(files: files) { LocalAddresses.reachable(listeningOn: host) }
        let library = try openLibrary()
        let requests = try log.map { try LogStream($0) }
        let (door, key) = try access.door(listeningOn: host, files, requests)
        let keeper = indexCache.keeper(byDefault: UserCaches.folder())
        let processes = workers.start(reading: folders, keeper: keeper)
        defer { processes?.stop() }
        let security = try ServerSecurity(access, listeningOn: host, key: key)
        let points = try access.data.points()
        let presence = NetworkPresence(
            announcing,
            security.networkAccess,
            folders: folders,
            listen,
            isQuiet: quiet
        )
        let responder = Responder(
            library: library,
            devices: devices,
            hosts: security.hosts,
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
            addresses: security.addresses(listeningOn: host),
            observer: requests.map(ServeCommand.observer)
        )
        let run = ServeRun(
            command: self,
            listen: listen,
            library: library,
            processes: processes,
            requests: requests,
            security: security,
            presence: presence
        )
        try await run.serve(responder, through: door, on: sockets.sockets)
    }

    /// Scans the folders and reports the files that are skipped.
    private func openLibrary() throws -> Library {
        let library: Library
        do {
            library = try Library(roots: folders, leavingOut: [delivery.cache].compactMap { $0 })
        } catch {
            throw CommandFailure(error)
        }
        guard !library.items.isEmpty || allowEmpty else {
            library.close()
            throw CommandFailure(folders.joined(separator: ", "), "no media found; name a folder with media files")
        }
        return library
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
