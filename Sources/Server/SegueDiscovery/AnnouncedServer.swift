/// A server as a network is told of it.
///
/// No key is ever part of that.
package struct AnnouncedServer: Sendable, Equatable {
    /// The name that people see.
    package var name: String

    /// The same for this server each time that it runs (``ServerIdentity``).
    package var id: String

    /// The version of the program.
    package var version: String

    /// The host or address on which it listens, as configured.
    package var host: String

    /// The port.
    package var port: UInt16

    /// Whether only those are answered who have a key.
    package var needsKey: Bool

    /// Whether it speaks TLS.
    package var usesTLS: Bool

    /// A server of the given parts.
    package init(
        name: String,
        id: String,
        version: String,
        host: String,
        port: UInt16,
        needsKey: Bool = false,
        usesTLS: Bool = false
    ) {
        self.name = ServiceName.fitted(name)
        self.id = id
        self.version = version
        self.host = host
        self.port = port
        self.needsKey = needsKey
        self.usesTLS = usesTLS
    }

    /// The services of DNS-SD that it is: that of every web server, and its own.
    var services: [String] { [usesTLS ? "_https._tcp" : "_http._tcp", Self.type] }

    /// The service of Segue's own servers.
    static let type = "_segue._tcp"

    /// What its TXT records say, as `KEY=VALUE` in order (RFC 6763, section 6).
    var text: [String] {
        [
            "txtvers=1", "path=/", "version=\(version)", "key=\(needsKey ? 1 : 0)", "tls=\(usesTLS ? 1 : 0)",
            "id=\(id)",
        ]
    }
}
