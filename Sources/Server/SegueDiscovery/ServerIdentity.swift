import Crypto
import Foundation

/// What tells a server from all others, and is the same each time that it runs.
package enum ServerIdentity {
    /// A UUID for a server of these folders at this port of this machine.
    ///
    /// The machine's own id is to be kept to itself (machine-id(5)), so only a keyed hash of it goes out.
    ///
    /// - Parameters:
    ///   - machine: What tells this machine from others.
    ///   - folders: The folders that are served.
    ///   - port: The port as configured.
    /// - Returns: The UUID as text, in small letters.
    package static func uuid(machine: String = machine(), folders: [String], port: Int) -> String {
        let text = (["segue", "\(port)"] + folders).joined(separator: "\0")
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(text.utf8),
            using: SymmetricKey(data: Data(machine.utf8))
        )
        var bytes = Array(Data(code).prefix(16))
        // A UUID whose bits are its maker's own (RFC 9562, section 5.8).
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var groups: [Substring] = []
        var rest = hex[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }

    /// The machine's id, or else its name.
    package static func machine() -> String {
        if let text = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8) {
            let id = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if !id.isEmpty { return id }
        }
        return ProcessInfo.processInfo.hostName
    }
}
