import ArgumentParser
import Foundation
import SegueBase
import SegueEvents
import SegueOrigin
import SeguePackager
import SegueServer
import SegueStores
import SegueWorkers

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the media in folders as HTTP Live Streaming.",
        discussion: """
            One line with the address is printed once requests are accepted. Open the address in a browser, or scan \
            the QR code in the terminal with a phone in the same network. On all addresses except loopback the \
            server requires the key in the address; segue access manages keys and passwords, and --open turns them \
            off.

            Every item is also available as audio only (background mode): add ?background=1 to its playlist. A \
            player that supports fewer formats names its device with ?device=NAME, such as iphone-3g, chromium, or \
            vlc; segue probe FILE --device NAME shows the result.

            Control-C stops the server. On SIGHUP it scans for new files, reopens its logs, and applies the options \
            of its configuration file that need no restart. Sockets from systemd (LISTEN_FDS) replace --listen.

            Example, with test media; a folder of your own works as well:
              segue testmedia media
              segue serve media --listen 127.0.0.1:8080 --log requests.jsonl
            """
    )

    @Argument(help: ArgumentHelp("Folders with media.", valueName: "dir"), completion: .directory)
    var folders: [String]

    @Option(
        help: ArgumentHelp(
            "The address to listen on; port 0 picks a free port. (default: 0.0.0.0:8080)",
            valueName: "host:port"
        ),
        transform: ListenAddress.init(argument:)
    )
    var listen = ListenAddress(host: "0.0.0.0", port: 8080)

    @Option(help: "YAML files with additional devices for ?device=.", completion: .yaml)
    var device: NameList?

    @Option(help: ArgumentHelp("Write a log of requests to a file (JSON Lines).", valueName: "file"))
    var log: String?

    @OptionGroup var access: AccessOptions

    @OptionGroup var indexCache: IndexCacheOption

    @Flag(help: "Do not print the files that are skipped.") var quiet = false

    @Flag(help: "Start even if the folders contain no media.")
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
        let network = announcing.network(access, listeningOn: host)
        let (door, key) = try access.door(
            listeningOn: host,
            televisions: network.televisionKey,
            files,
            requests
        )
        let keeper = indexCache.keeper(byDefault: UserCaches.folder())
        let processes = workers.start(reading: folders, keeper: keeper)
        defer { processes?.stop() }
        let security = try ServerSecurity(access, listeningOn: host, key: key)
        let points = try access.data.points()
        let presence = ServerAnnouncements(
            announcing,
            access: network,
            folders: folders,
            at: listen,
            isQuiet: quiet
        )
        let responder = Responder(library: library) { [quiet] in
            ($0.devices, $0.hosts, $0.origins) = (devices, security.hosts, door.rules.origins)
            ($0.limits, $0.disk, $0.spool) = (delivery.limits, disk, Spool())
            ($0.keeper, $0.work, $0.points) = (keeper, processes, points)
            $0.note = { note in if !quiet { StandardError.write("segue: \(note)\n") } }
            ($0.page, $0.mediaServer) = (page, presence.mediaServer)
            $0.addresses = security.addresses(listeningOn: host)
            $0.observer = requests.map(ServeCommand.observer)
        }
        let run = ServeRun(
            command: self,
            listen: listen,
            library: library,
            processes: processes,
            requests: requests,
            security: security,
            presence: presence,
            words: files.errorWords
        )
        try await run.serve(responder, through: door, on: sockets.sockets)
    }

    /// Scans the folders and reports the files that are skipped.
    private func openLibrary() throws -> Library {
        let library: Library
        do {
            let own = [delivery.cache].compactMap { $0 }
            library = try Library(roots: folders, leavingOut: own, stored: try access.data.items())
        } catch let error as LibraryError {
            throw CommandFailure(error)
        }
        guard !library.items.isEmpty || allowEmpty else {
            library.close()
            throw CommandFailure(folders.joined(separator: ", "), "no media found; name a folder with media files")
        }
        return library
    }

    /// The sockets from a service manager.
    ///
    /// - Throws: ``CommandFailure`` if the server cannot listen on them.
    private func inheritedSockets() throws -> InheritedSockets {
        do {
            let inherited = try InheritedSockets(
                environment: ProcessInfo.processInfo.environment,
                process: ProcessInfo.processInfo.processIdentifier
            )
            if let notice = inherited.notice { StandardError.write("segue: \(notice)\n") }
            let addresses = inherited.sockets.map(\.address.description)
            if !addresses.isEmpty, !quiet {
                StandardError.write(
                    "segue: listening on \(addresses.joined(separator: " and ")), inherited from the service manager\n"
                )
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
    /// A log entry for a request.
    fileprivate static func served(_ exchange: OriginExchange) -> EventKind {
        let response = exchange.response
        return .originServed(
            target: exchange.request.target,
            status: response.status,
            bytes: Int(response.body.length)
        )
    }
}
