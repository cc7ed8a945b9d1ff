/// A server that was found in the network.
package struct FoundServer: Sendable, Equatable {
    /// What it is, by how it was found.
    package enum Kind: String, Sendable, Encodable {
        /// One of Segue's, found by DNS-SD.
        case segue
        /// Any server of media, found by SSDP (UPnP).
        case dlna
    }

    /// What it is.
    package var kind: Kind
    /// The name that people see.
    package var name: String
    /// What tells it from others; empty where it does not say.
    package var id: String
    /// Where it can be had, `http://ADDRESS:PORT/PATH`; of a server of media, its description.
    package var url: String
    /// The program and its version, as far as it says.
    package var version: String
    /// Whether only those are answered who have a key.
    package var needsKey: Bool
    /// Whether it speaks TLS.
    package var usesTLS: Bool

    /// A server of the given parts.
    package init(
        kind: Kind,
        name: String,
        id: String,
        url: String,
        version: String,
        needsKey: Bool = false,
        usesTLS: Bool = false
    ) {
        (self.kind, self.name, self.id, self.url, self.version) = (kind, name, id, url, version)
        (self.needsKey, self.usesTLS) = (needsKey, usesTLS)
    }

    /// What records of DNS-SD tell of a server, whoever wrote them.
    ///
    /// - Parameters:
    ///   - name: The name of the service.
    ///   - address: The address as text, without brackets, with its zone where it needs one.
    ///   - port: The port.
    ///   - text: What the TXT records say.
    init(name: String, address: String, port: UInt16, text: [String]) {
        var values: [String: String] = [:]
        for line in text {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = parts[0].lowercased()
            // The first of several counts (RFC 6763, section 6.4).
            if values[key] == nil { values[key] = parts.count == 2 ? String(parts[1]) : "" }
        }
        let usesTLS = values["tls"] == "1"
        let path = values["path"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
        let host = address.contains(":") ? "[\(address)]" : address
        self.init(
            kind: .segue,
            name: name,
            id: values["id"] ?? "",
            url: "\(usesTLS ? "https" : "http")://\(host):\(port)\(path)",
            version: values["version"] ?? "",
            needsKey: values["key"] == "1",
            usesTLS: usesTLS
        )
    }
}
