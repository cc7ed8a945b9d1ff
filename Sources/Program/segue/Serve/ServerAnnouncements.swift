import Dispatch
import Foundation
import SegueBase
import SegueDiscovery
import SegueOrigin
import SegueServer
import SegueUPnP
import Synchronization

/// The announcements of a server by DNS-SD and SSDP, while it accepts requests.
final class ServerAnnouncements: Sendable {
    /// The announcements to withdraw.
    private struct Announcements {
        var services: ServiceAnnouncer?
        var media: SSDPServer?

        func close() {
            services?.close()
            media?.close()
        }
    }

    private struct State {
        var announcements = Announcements()
        var timer: (any DispatchSourceTimer)?
        var hasEnded = false
    }

    /// The interval between notifications of subscribers.
    private static let telling = Duration.seconds(10)

    /// The media server for televisions; nil if they are not served.
    let mediaServer: MediaServer?

    private let options: AnnounceOptions
    private let access: NetworkAccess
    private let id: String
    private let isQuiet: Bool
    private let state = Mutex(State())

    init(
        _ options: AnnounceOptions,
        access: NetworkAccess,
        folders: [String],
        at listen: ListenAddress,
        isQuiet: Bool
    ) {
        self.options = options
        self.access = access
        self.isQuiet = isQuiet
        id = ServerIdentity.uuid(folders: folders, port: listen.port)
        let events = EventSender()
        let description = DeviceDescription(name: options.shownName, uuid: id, version: Segue.programVersion)
        mediaServer =
            options.servesTelevisions(access, listeningOn: listen.host)
            ? MediaServer(description, notify: { events.send($0) }) : nil
    }

    /// Announces the server, if it should be.
    ///
    /// `tellOfChanges` notifies subscribers; it is called repeatedly.
    func begin(at address: OriginServer.Address, tellOfChanges: @escaping @Sendable () -> Void) {
        guard options.isWanted(listeningOn: address.host), let port = UInt16(exactly: address.port) else { return }
        var announcements = Announcements()
        var server = AnnouncedServer(
            name: options.shownName,
            id: id,
            version: Segue.programVersion,
            host: address.host,
            port: port
        )
        (server.needsKey, server.usesTLS) = (access.needsKey, access.usesTLS)
        announcements.services = ServiceAnnouncer(
            server,
            onInterface: NetworkInterfaces.number(ofAddress: address.host),
            report: { [isQuiet, server] report in Self.tell(report, of: server, isQuiet: isQuiet) }
        )
        if let mediaServer {
            announcements.media = SSDPServer(
                mediaServer.announced(at: port, mount: access.televisionMount, bootID: BootID.now()),
                listeningOn: address.host,
                report: { StandardError.write("segue: the server is not announced to televisions: \($0)\n") }
            )
        }
        if let line = options.televisionLine(access), !isQuiet { StandardError.write("segue: \(line)\n") }
        let isLate = state.withLock { [announcements] state in
            if !state.hasEnded {
                state.announcements = announcements
                state.timer = mediaServer == nil ? nil : Self.timer(tellOfChanges)
            }
            return state.hasEnded
        }
        if isLate { announcements.close() }
    }

    /// Withdraws the announcements.
    func end() {
        let announcements = state.withLock { state in
            state.hasEnded = true
            state.timer?.cancel()
            defer { state.announcements = Announcements() }
            return state.announcements
        }
        announcements.close()
    }

    private static func timer(_ action: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + telling.seconds, repeating: telling.seconds)
        timer.setEventHandler(handler: action)
        timer.resume()
        return timer
    }

    private static func tell(_ report: ServiceAnnouncer.Report, of server: AnnouncedServer, isQuiet: Bool) {
        switch report {
        case .announced(let name):
            if isQuiet || name == server.name { return }
            StandardError.write(
                "segue: another server has the name '\(server.name)'; this one is announced as '\(name)'\n"
            )
        case .waiting(let why):
            if isQuiet { return }
            StandardError.write(
                "segue: not announced by DNS-SD: \(why); install and start avahi-daemon, or use --no-announce\n"
            )
        case .refused(let why): StandardError.write("segue: not announced by DNS-SD: \(why)\n")
        }
    }
}

/// A number that grows with each start of the server.
private enum BootID {
    /// The seconds since 1970 in 31 bits.
    static func now() -> UInt32 {
        UInt32(clamping: Int64(Date().timeIntervalSince1970) & 0x7FFF_FFFF)
    }
}
