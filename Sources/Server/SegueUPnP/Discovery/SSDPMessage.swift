/// An SSDP datagram (UPnP Device Architecture 1.1, section 1): a start line and header fields.
package struct SSDPMessage: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// A search.
        case search = "M-SEARCH * HTTP/1.1"
        /// An announcement or a goodbye.
        case notice = "NOTIFY * HTTP/1.1"
        /// A response to a search.
        case answer = "HTTP/1.1 200 OK"
    }

    /// The maximum sizes.
    package enum Limit {
        /// The bytes of a datagram.
        package static let bytes = 4096
        package static let fields = 64
    }

    package var kind: Kind
    /// The header fields in the order sent.
    package var fields: [(name: String, value: String)]

    package init(_ kind: Kind, _ fields: [(name: String, value: String)]) { (self.kind, self.fields) = (kind, fields) }

    /// Parses a datagram; nil if it is malformed.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= Limit.bytes, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return String(Substring(line))
        }
        guard let first = lines.first, let kind = Kind(rawValue: first), lines.count <= Limit.fields + 2 else {
            return nil
        }
        self.kind = kind
        fields = []
        for line in lines.dropFirst() {
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = XMLNode(name: "", text: String(line[..<colon])).trimmedText
            guard !name.isEmpty, !line.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" }) else {
                return nil
            }
            fields.append((name, XMLNode(name: "", text: String(line[line.index(after: colon)...])).trimmedText))
        }
    }

    /// The value of the first field with a name, in any case.
    package func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The datagram; characters that would break a line are removed.
    package var bytes: [UInt8] {
        let lines = [kind.rawValue] + fields.map { "\($0.name): \($0.value.filter { !$0.isNewline })" } + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    package static func == (one: SSDPMessage, other: SSDPMessage) -> Bool {
        one.kind == other.kind && one.fields.elementsEqual(other.fields, by: ==)
    }
}
