/// A server found in the network.
package struct FoundServer: Sendable, Equatable {
    /// The kind of a server, by the way it was found.
    package enum Kind: String, Sendable, Encodable {
        /// A server of Segue, found by DNS-SD.
        case segue
        /// Any media server, found by SSDP (UPnP).
        case dlna
    }

    package var kind: Kind
    /// The name for display.
    package var name: String
    /// The unique id; empty if it has none.
    package var id: String
    /// The URL, `http://ADDRESS:PORT/PATH`; for a media server, that of its description.
    package var url: String
    /// The program and its version, as announced.
    package var version: String
    /// True if clients need a key.
    package var needsKey = false
    package var usesTLS = false

    package init(kind: Kind, name: String, id: String, url: String, version: String, needsKey: Bool = false) {
        (self.kind, self.name, self.id, self.url, self.version) = (kind, name, id, url, version)
        self.needsKey = needsKey
    }

    /// Creates a server from DNS-SD records, which may come from anyone.
    ///
    /// - Parameters:
    ///   - name: The name of the service.
    ///   - address: The address without brackets, with a zone if necessary.
    init(name: String, address: String, port: UInt16, text: [String]) {
        var values: [String: String] = [:]
        for line in text {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = parts[0].lowercased()
            // The first value of a repeated key counts (RFC 6763, section 6.4).
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
            needsKey: values["key"] == "1"
        )
        self.usesTLS = usesTLS
    }
}
