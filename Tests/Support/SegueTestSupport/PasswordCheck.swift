internal import CSegueLibCrypto
internal import Foundation

/// What a server does that wants to know who asks: challenges, and judges of what it gets.
package enum PasswordCheck: String, Sendable, CaseIterable {
    case basic = "Basic"
    case digestMD5 = "MD5"
    case digestSHA256 = "SHA-256"

    private static let nonce = "dcd98b7102dd2f0e8b11d0f600bfb0c0"

    /// The value of `WWW-Authenticate`.
    package var challenge: String {
        switch self {
        case .basic: "Basic realm=\"films\", charset=\"UTF-8\""
        default: "Digest realm=\"films\", qop=\"auth\", algorithm=\(rawValue), nonce=\"\(Self.nonce)\", opaque=\"x\""
        }
    }

    /// Whether a request shows a name and a password, computed here from the password as RFC 7616 says.
    package func accepts(_ request: LoopbackServer.Request, user: String, password: String) -> Bool {
        guard let shown = request.header("authorization") else { return false }
        if self == .basic { return shown == "Basic " + Data("\(user):\(password)".utf8).base64EncodedString() }
        guard shown.hasPrefix("Digest ") else { return false }
        var fields: [String: String] = [:]
        for part in shown.dropFirst(7).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            fields[pair[0].trimmingCharacters(in: .whitespaces)] = pair[1].trimmingCharacters(
                in: .init(charactersIn: "\" ")
            )
        }
        let method = request.head.prefix { $0 != " " }
        guard let uri = fields["uri"], let count = fields["nc"], let own = fields["cnonce"],
            let response = fields["response"],
            fields["username"] == user, fields["nonce"] == Self.nonce
        else { return false }
        let secret = hash("\(user):films:\(password)")
        return response == hash("\(secret):\(Self.nonce):\(count):\(own):auth:\(hash("\(method):\(uri)"))")
    }

    /// A server that welcomes who shows a name and a password, and refuses all others.
    package func server(user: String, password: String) throws -> LoopbackServer {
        try LoopbackServer.answering { request in
            let isKnown = accepts(request, user: user, password: password)
            let head = isKnown ? "200 OK" : "401 Unauthorized\r\nWWW-Authenticate: \(challenge)"
            let text = isKnown ? "welcome" : "no"
            return [.send(Array("HTTP/1.1 \(head)\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8))]
        }
    }

    private func hash(_ text: String) -> String {
        var digest = [UInt8](repeating: 0, count: 64)
        var size: UInt32 = 0
        let bytes = Array(text.utf8)
        guard EVP_Digest(bytes, bytes.count, &digest, &size, self == .digestMD5 ? EVP_md5() : EVP_sha256(), nil) == 1
        else { return "" }
        return digest.prefix(Int(size)).map { String(format: "%02x", $0) }.joined()
    }
}
