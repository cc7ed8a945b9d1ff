import SegueConcurrency
import CSegueAvahi
import SegueBase

/// A DNS-SD search for Segue's servers through Avahi's daemon, on the calling thread.
package final class ServiceSearch {
    /// A search that could not start.
    package struct Failure: Error, CustomStringConvertible {
        /// One line for people.
        package let description: String
    }

    /// The maximum number of servers, against floods.
    private static let most = 1000

    private let poll: OpaquePointer
    private var client: OpaquePointer?
    private var browser: OpaquePointer?
    private var resolvers: Set<OpaquePointer> = []
    private var isAllForNow = false
    private var failure: String?
    private var found: [FoundServer] = []

    private init() {
        guard let poll = avahi_simple_poll_new() else { endWithoutMemory() }
        self.poll = poll
    }

    deinit {
        if let browser { avahi_service_browser_free(browser) }
        for resolver in resolvers { avahi_service_resolver_free(resolver) }
        if let client { avahi_client_free(client) }
        avahi_simple_poll_free(poll)
    }

    /// Returns the announced servers, one entry for each known address.
    ///
    /// The search ends early if Avahi expects no more.
    ///
    /// - Returns: The servers.
    /// - Throws: ``Failure`` if the daemon is not running.
    package static func servers(within time: Duration) throws(Failure) -> [FoundServer] {
        let search = ServiceSearch()
        let end = ContinuousClock.now + time
        try search.begin()
        while search.failure == nil, !(search.isAllForNow && search.resolvers.isEmpty) {
            let left = end - ContinuousClock.now
            guard left > .zero else { break }
            let milliseconds = Int32(clamping: min(left.wholeNanoseconds / 1_000_000 + 1, 60_000))
            guard avahi_simple_poll_iterate(search.poll, milliseconds) == 0 else { break }
        }
        if let failure = search.failure { throw Failure(description: failure) }
        return search.found
    }

    private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func search(_ pointer: UnsafeMutableRawPointer?) -> ServiceSearch? {
        pointer.map { Unmanaged<ServiceSearch>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin() throws(Failure) {
        var code: Int32 = 0
        client = avahi_client_new(
            avahi_simple_poll_get(poll),
            AvahiClientFlags(0),
            { client, state, search in
                guard state == AVAHI_CLIENT_FAILURE, let client else { return }
                ServiceSearch.search(search)?.fail("avahi_client", avahi_client_errno(client))
            },
            me,
            &code
        )
        guard let client else { throw Failure(description: "avahi_client_new: \(Self.message(code))") }
        browser = avahi_service_browser_new(
            client,
            AvahiIfIndex(AVAHI_IF_UNSPEC),
            AvahiProtocol(AVAHI_PROTO_UNSPEC),
            AnnouncedServer.type,
            nil,
            AvahiLookupFlags(0),
            { _, interface, family, event, name, type, domain, _, search in
                guard let search = ServiceSearch.search(search) else { return }
                switch event {
                case AVAHI_BROWSER_NEW:
                    search.resolve(interface: interface, family: family, name: name, type: type, domain: domain)
                case AVAHI_BROWSER_ALL_FOR_NOW: search.isAllForNow = true
                case AVAHI_BROWSER_FAILURE: search.fail("avahi_service_browser", search.lastCode)
                default: break
                }
            },
            me
        )
        if browser == nil {
            throw Failure(description: "avahi_service_browser_new: \(Self.message(avahi_client_errno(client)))")
        }
    }

    private func resolve(
        interface: AvahiIfIndex,
        family: AvahiProtocol,
        name: UnsafePointer<CChar>?,
        type: UnsafePointer<CChar>?,
        domain: UnsafePointer<CChar>?
    ) {
        guard let client, found.count + resolvers.count < Self.most else { return }
        let resolver = avahi_service_resolver_new(
            client,
            interface,
            family,
            name,
            type,
            domain,
            // The address family by which the service was found.
            family,
            AvahiLookupFlags(0),
            { resolver, interface, _, event, name, _, _, _, address, port, text, _, search in
                guard let search = ServiceSearch.search(search), let resolver else { return }
                if event == AVAHI_RESOLVER_FOUND, let name, let address {
                    search.note(
                        String(cString: name),
                        address: address.pointee,
                        interface: interface,
                        port: port,
                        text: text
                    )
                }
                search.resolvers.remove(resolver)
                avahi_service_resolver_free(resolver)
            },
            me
        )
        // The resolver of a server that just left cannot be created.
        if let resolver { resolvers.insert(resolver) }
    }

    private func note(
        _ name: String,
        address: AvahiAddress,
        interface: AvahiIfIndex,
        port: UInt16,
        text: UnsafeMutablePointer<AvahiStringList>?
    ) {
        var buffer = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
        var address = address
        guard avahi_address_snprint(&buffer, buffer.count, &address) != nil else { return }
        var host = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // A link-local address is meaningless without its link.
        if host.lowercased().hasPrefix("fe80:") { host += "%\(interface)" }
        var lines: [String] = []
        var next = text
        while let entry = next {
            if let bytes = avahi_string_list_get_text(entry) {
                let count = avahi_string_list_get_size(entry)
                lines.append(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
            }
            next = avahi_string_list_get_next(entry)
        }
        let server = FoundServer(name: name, address: host, port: port, text: lines)
        if !found.contains(server) { found.append(server) }
    }

    private var lastCode: Int32 { client.map(avahi_client_errno) ?? 0 }

    private func fail(_ what: String, _ code: Int32) {
        if failure == nil { failure = "\(what): \(Self.message(code))" }
    }

    private static func message(_ code: Int32) -> String { String(cString: avahi_strerror(code)) }
}
