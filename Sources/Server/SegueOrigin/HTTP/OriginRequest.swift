package import HTTPTypes
package import SegueConcurrency
import SegueFFmpeg

/// An HTTP request without types of an HTTP library.
package struct OriginRequest: Sendable {
    /// The method in upper case.
    package var method: String

    /// The request target as sent: path and query, percent-encoded.
    package var target: String { didSet { resolved = Self.resolve(target) } }

    /// The parsed target and its route.
    private(set) var resolved: Result<ResolvedTarget, OriginFailure>

    /// The header fields in the order sent; names in any case.
    package var headers: HTTPFields

    /// The body; empty unless the route reads bodies (see ``bodyLimit``).
    package var body: [UInt8] = []

    /// Cancelled when the client disconnects; nil if the end of the connection does not mean that the client has left.
    package var client: Cancellation?

    /// The path prefix before the target, such as `/k/KEY`; absolute addresses in responses begin with it.
    package var mount = ""

    /// The client's address without a port, also behind a trusted proxy; empty if it is unknown.
    package var address = ""

    /// The address range of one client: an IPv4 address, or a /64 of IPv6; empty if it is unknown.
    package var addressRange = ""

    /// True if a proxy forwarded the request, as far as its header fields or the trusted proxies show.
    package var isForwarded = false

    package var visitor = Visitor()

    package init(method: String = "GET", target: String, headers: HTTPFields = [:]) {
        self.method = method
        self.target = target
        resolved = Self.resolve(target)
        self.headers = headers
    }

    /// True if header fields that proxies write are present.
    package var hasForwardingFields: Bool {
        [.forwarded, .via, .xForwardedFor, .xRealIP].contains { headers.contains($0) }
    }

    private static func resolve(_ target: String) -> Result<ResolvedTarget, OriginFailure> {
        do throws(OriginFailure) { return .success(try ResolvedTarget(target)) } catch { return .failure(error) }
    }
}

extension String {
    /// Returns true if the strings differ at most in the case of ASCII letters, as header names compare.
    func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UInt8 {
    var asciiLowercased: UInt8 { (65...90).contains(self) ? self | 0x20 : self }
}
