package import SegueConcurrency
import SegueFFmpeg

/// One HTTP request, without any HTTP library's types.
package struct OriginRequest: Sendable {
    /// The method as sent, in capitals.
    package var method: String

    /// The request target as sent: path and query, still percent-encoded.
    package var target: String

    /// The header fields in the order sent; names in any case.
    package var headers: [(name: String, value: String)]

    /// What is sent with it; only ``Responder/bodyLimit(of:)`` says of which requests a server takes what is sent.
    package var body: [UInt8] = []

    /// Whose request it is: cancelled when the client's connection ends; nil where that says nothing of the client.
    package var client: Cancellation?

    /// What stands in the address before the target, such as `/k/KEY`; absolute addresses in answers begin with it.
    package var mount = ""

    /// The address from which the request came, without a port; empty where that is not known.
    package var address = ""

    /// Who asks.
    package var visitor = Visitor()

    /// A request; a `GET` without headers unless told otherwise.
    package init(method: String = "GET", target: String, headers: [(name: String, value: String)] = []) {
        self.method = method
        self.target = target
        self.headers = headers
    }

    /// The value of the first header field with a name, in any case; several `Range` fields count as the first.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// The values of all header fields with a name as one list; nil where there is none (RFC 9110, section 5.3).
    package func list(_ name: String) -> String? {
        let values = headers.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

extension String {
    /// Whether two strings are the same but for the case of ASCII letters, as header names compare.
    func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UInt8 {
    /// The byte with `A`…`Z` turned to `a`…`z`.
    var asciiLowercased: UInt8 { (65...90).contains(self) ? self | 0x20 : self }
}
