import SegueSuite
import Foundation
import SegueOrigin
import SegueServer
import SegueWorkers

/// A server from its first request to its end: signals, reloads, and the service manager.
struct ServeRun: Sendable {
    /// The time that the server has to end after a signal, in seconds.
    private static let endingLimit = 1.7

    let command: ServeCommand
    let listen: ListenAddress
    let library: Library
    let processes: WorkerProcesses?
    let requests: LogStream?
    let security: ServerSecurity
    let presence: ServerAnnouncements
    let words: ErrorWords

    /// Serves until a signal ends it.
    ///
    /// - Throws: ``CommandFailure`` where the server cannot listen.
    func serve(_ responder: Responder, through door: AccessGate, on sockets: [InheritedSockets.Socket]) async throws {
        if !command.quiet {
            for passed in library.passedOver {
                StandardError.write("segue: \(passed.path): \(passed.reason); skipped\n")
            }
        }
        let accessLog = try command.fairness.log()
        let handle = ServerHandle()
        let configuration = configuration(door, sockets: sockets, accessLog: accessLog, handle: handle)
        let manager = ServiceManager(
            environment: ProcessInfo.processInfo.environment,
            process: ProcessInfo.processInfo.processIdentifier
        )
        let reloading = reloading(
            manager,
            accessLog: accessLog,
            handle: handle,
            connections: configuration.connectionLimit
        )
        defer { reloading.stop() }
        let limit = TerminationTimeout(
            seconds: Self.endingLimit,
            begin: { Self.notify(manager, .stopping) },
            cleanUp: { library.close() }
        )
        defer { limit.stop() }
        defer { presence.end() }
        let watchdog = watchdog(manager)
        defer { watchdog?.stop() }
        let count = library.items.count
        do {
            try await OriginServer.run(configuration, responder: responder) { address in
                Self.notify(manager, .ready, status: "serving \(count) items")
                announce(count, at: address)
                presence.begin(at: address) { responder.tellOfChanges() }
            }
        } catch let error as OriginServerError {
            throw CommandFailure(error)
        }
        accessLog?.end()
        try requests?.end()
    }

    private func configuration(
        _ door: AccessGate,
        sockets: [InheritedSockets.Socket],
        accessLog: AccessLog?,
        handle: ServerHandle
    ) -> OriginServer.Configuration {
        var configuration = OriginServer.Configuration(host: listen.host, port: listen.port)
        configuration.stopsOnSignals = true
        configuration.inherited = sockets
        if let connections = command.fairness.connections { configuration.connectionLimit = connections }
        configuration.fairness = command.fairness.fairness(amongConnections: configuration.connectionLimit, accessLog)
        configuration.door = door
        configuration.certificate = security.secured?.certificate
        (configuration.handle, configuration.words) = (handle, words)
        if let fingerprint = security.secured?.own?.fingerprint {
            StandardError.write(
                "segue: this machine's own authority signs the certificate; its SHA-256 fingerprint is \(fingerprint)\n"
            )
        }
        return configuration
    }

    /// Reopens logs and applies the configuration file on SIGHUP.
    private func reloading(
        _ manager: ServiceManager?,
        accessLog: AccessLog?,
        handle: ServerHandle,
        connections: Int
    ) -> HangupSignal {
        let change = ServeChange(
            command: command,
            listeningOn: listen.host,
            connections: connections,
            security: security,
            library: library,
            processes: processes,
            handle: handle
        )
        let reload = ServeReload()
        return HangupSignal {
            Self.notify(manager, .reloading)
            accessLog?.reopen()
            requests?.reopen()
            for line in reload.lines(changing: change.apply) { StandardError.write("segue: \(line)\n") }
            handle.lookAtCertificate()
            handle.look()
            Self.notify(manager, .ready)
        }
    }

    private func watchdog(_ manager: ServiceManager?) -> Watchdog? {
        guard let manager, let interval = manager.interval else { return nil }
        return Watchdog(manager, every: interval) { [processes] in
            Watchdog.loopsAreAlive(within: interval / 4) && processes?.report?.alive != 0
        }
    }

    /// Prints the address, and on a terminal its QR code.
    private func announce(_ count: Int, at address: OriginServer.Address) {
        let shown = OriginServer.Address(
            host: LocalAddresses.reachable(listeningOn: address.host).first ?? address.host,
            port: address.port
        )
        let url = "\(security.scheme)://\(shown)\(security.mount)/"
        StandardOutput.write("serving \(count) \(count == 1 ? "item" : "items") at \(url)\n")
        guard StandardError.isTerminal, let code = QRCode(url) else { return }
        StandardError.write(raw: code.text(isColoured: TerminalLook.ofStandardError.isColoured))
    }

    private static func notify(_ manager: ServiceManager?, _ state: ServiceManager.State, status: String? = nil) {
        do throws(ServiceManager.Failure) {
            try manager?.tell(state, status: status)
        } catch {
            StandardError.write("segue: \(error)\n")
        }
    }
}
