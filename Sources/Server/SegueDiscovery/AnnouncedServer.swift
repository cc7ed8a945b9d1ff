/// A server as announced to the network, never with a key.
package struct AnnouncedServer: Sendable, Equatable {
    /// The name for display.
    package var name: String

    /// An id that is the same in each run (``ServerIdentity``).
    package var id: String

    /// The version of the program.
    package var version: String

    /// The configured host or address.
    package var host: String

    package var port: UInt16

    /// True if clients need a key.
    package var needsKey = false

    package var usesTLS = false

    package init(name: String, id: String, version: String, host: String, port: UInt16) {
        self.name = ServiceName.fitted(name)
        (self.id, self.version, self.host, self.port) = (id, version, host, port)
    }

    /// The DNS-SD services: that of every web server, and Segue's own.
    var services: [String] { [usesTLS ? "_https._tcp" : "_http._tcp", Self.type] }

    /// The DNS-SD service of Segue.
    static let type = "_segue._tcp"

    /// The TXT records in order, as `KEY=VALUE` (RFC 6763, section 6).
    var text: [String] {
        [
            "txtvers=1", "path=/", "version=\(version)", "key=\(needsKey ? 1 : 0)", "tls=\(usesTLS ? 1 : 0)",
            "id=\(id)",
        ]
    }
}
