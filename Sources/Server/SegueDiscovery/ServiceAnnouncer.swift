import SegueConcurrency
import CSegueAvahi
import Glibc

/// A DNS-SD announcement of a server through Avahi's daemon, for as long as this object exists.
///
/// Avahi calls back on a thread of its own. If the daemon is not running, the announcer waits for it, and announces the
/// server again after a restart. If the name is in use, it gets a number.
///
/// Unchecked: after ``init(_:onInterface:report:)``, only Avahi's thread accesses the mutable state, until ``close()``
/// has ended that thread.
package final class ServiceAnnouncer: @unchecked Sendable {
    /// A change of the announcement's state.
    package enum Report: Sendable, Equatable {
        /// The server is announced under this name.
        case announced(name: String)
        /// No daemon is available, with the reason; reported once until the server is announced.
        case waiting(String)
        /// The daemon refuses the announcement.
        case refused(String)
    }

    /// The delay in milliseconds before a new attempt after Avahi could not be reached.
    private static let pause: UInt32 = 1000

    private let server: AnnouncedServer
    private let interface: AvahiIfIndex
    private let report: @Sendable (Report) -> Void
    private let poll: OpaquePointer
    private var name: String
    private var client: OpaquePointer?
    private var group: OpaquePointer?
    private var timer: OpaquePointer?
    private var hasSaidWaiting = false
    private var isClosed = false

    /// Starts to announce a server.
    ///
    /// - Parameters:
    ///   - interface: The index of the network interface; nil for all interfaces of Avahi.
    ///   - report: Receives changes, on Avahi's thread or before this returns.
    package init(
        _ server: AnnouncedServer,
        onInterface interface: Int32? = nil,
        report: @escaping @Sendable (Report) -> Void
    ) {
        self.server = server
        self.interface = interface ?? AvahiIfIndex(AVAHI_IF_UNSPEC)
        self.report = report
        name = server.name
        guard let poll = avahi_threaded_poll_new() else { endWithoutMemory() }
        self.poll = poll
        connect()
        if avahi_threaded_poll_start(poll) != 0 { report(.refused("avahi_threaded_poll_start: cannot start a thread")) }
    }

    deinit { close() }

    /// Withdraws the announcement; afterwards there are no further calls.
    package func close() {
        if isClosed { return }
        isClosed = true
        avahi_threaded_poll_stop(poll)
        disconnect()
        if let timer { avahi_threaded_poll_get(poll).pointee.timeout_free(timer) }
        avahi_threaded_poll_free(poll)
    }

    private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func announcer(_ pointer: UnsafeMutableRawPointer?) -> ServiceAnnouncer? {
        pointer.map { Unmanaged<ServiceAnnouncer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func connect() {
        var code: Int32 = 0
        client = avahi_client_new(
            avahi_threaded_poll_get(poll),
            AVAHI_CLIENT_NO_FAIL,
            { client, state, announcer in
                guard let client else { return }
                ServiceAnnouncer.announcer(announcer)?.take(state, of: client)
            },
            me,
            &code
        )
        if client == nil {
            wait("avahi_client_new: \(Self.message(code))")
            connectLater()
        }
    }

    private func disconnect() {
        if let client {
            if let group { avahi_entry_group_free(group) }
            avahi_client_free(client)
        }
        (client, group) = (nil, nil)
    }

    /// Reconnects after a delay; a client must not be freed while it calls back.
    private func connectLater() {
        var time = timeval()
        avahi_elapse_time(&time, Self.pause, 0)
        let api = avahi_threaded_poll_get(poll)
        if let timer {
            api?.pointee.timeout_update(timer, &time)
            return
        }
        timer = api?.pointee.timeout_new(
            api,
            &time,
            { _, announcer in
                guard let announcer = ServiceAnnouncer.announcer(announcer) else { return }
                announcer.disconnect()
                announcer.connect()
            },
            me
        )
    }

    private func take(_ state: AvahiClientState, of client: OpaquePointer) {
        switch state {
        case AVAHI_CLIENT_S_RUNNING: publish(client)
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION:
            // The records depend on the machine's own name, which is being settled.
            if let group { avahi_entry_group_reset(group) }
        case AVAHI_CLIENT_CONNECTING: wait("avahi-daemon is not running")
        default:
            let code = avahi_client_errno(client)
            wait("avahi-daemon: \(Self.message(code))")
            connectLater()
        }
    }

    private func publish(_ client: OpaquePointer) {
        if group == nil {
            group = avahi_entry_group_new(
                client,
                { _, state, announcer in ServiceAnnouncer.announcer(announcer)?.take(state) },
                me
            )
        }
        guard let group else {
            return report(.refused("avahi_entry_group_new: \(Self.message(avahi_client_errno(client)))"))
        }
        var code = add(to: group)
        // Another server of this machine has the name.
        for _ in 0..<100 where code == Int32(AVAHI_ERR_COLLISION) {
            name = ServiceName.next(after: name)
            avahi_entry_group_reset(group)
            code = add(to: group)
        }
        if code == 0 { code = avahi_entry_group_commit(group) }
        if code != 0 { report(.refused("avahi_entry_group: \(Self.message(code))")) }
    }

    /// Adds all services; returns 0 or Avahi's error.
    private func add(to group: OpaquePointer) -> Int32 {
        var text: UnsafeMutablePointer<AvahiStringList>?
        defer { avahi_string_list_free(text) }
        // Avahi prepends to its lists.
        for line in server.text.reversed() {
            guard let longer = avahi_string_list_add(text, line) else { endWithoutMemory() }
            text = longer
        }
        for service in server.services {
            let code = avahi_entry_group_add_service_strlst(
                group,
                interface,
                server.addressFamily,
                AvahiPublishFlags(0),
                name,
                service,
                nil,
                nil,
                server.port,
                text
            )
            if code != 0 { return code }
        }
        return 0
    }

    private func take(_ state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED:
            hasSaidWaiting = false
            report(.announced(name: name))
        case AVAHI_ENTRY_GROUP_COLLISION:
            name = ServiceName.next(after: name)
            if let group { avahi_entry_group_reset(group) }
            if let client { publish(client) }
        case AVAHI_ENTRY_GROUP_FAILURE:
            let code = client.map(avahi_client_errno) ?? 0
            report(.refused("avahi_entry_group: \(Self.message(code))"))
        default: break
        }
    }

    private func wait(_ why: String) {
        if !hasSaidWaiting { report(.waiting(why)) }
        hasSaidWaiting = true
    }

    private static func message(_ code: Int32) -> String { String(cString: avahi_strerror(code)) }
}

extension AnnouncedServer {
    /// The address families of the server in Avahi's terms.
    var addressFamily: AvahiProtocol {
        switch host {
        case "::", "*": AvahiProtocol(AVAHI_PROTO_UNSPEC)
        case _ where host.contains(":"): AvahiProtocol(AVAHI_PROTO_INET6)
        default: AvahiProtocol(AVAHI_PROTO_INET)
        }
    }
}
