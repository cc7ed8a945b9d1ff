/// A TLS version, with the time that its handshake takes.
package enum TLSVersion: String, Sendable, CaseIterable {
    /// Two round trips before the request (RFC 5246).
    case tls12 = "1.2"
    /// One round trip before the request (RFC 8446).
    case tls13 = "1.3"

    /// The sizes of the messages in turn, the client first: its hello, and the server's flight with a certificate chain
    /// of about 4 KB.
    var exchanges: [(up: Int, down: Int)] {
        switch self {
        case .tls12: [(517, 4200), (126, 258)]
        case .tls13: [(517, 4300)]
        }
    }

    /// The bytes that the client sends immediately before its first request.
    var lastFlight: Int { self == .tls13 ? 74 : 0 }
}
