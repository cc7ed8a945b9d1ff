import Crypto
import Foundation

/// The identity of a server, which is the same in each run.
package enum ServerIdentity {
    /// Returns the UUID of a server of folders at a port of this machine.
    ///
    /// The machine's id is confidential (machine-id(5)), so only a keyed hash of it is published.
    ///
    /// - Parameters:
    ///   - machine: The identity of the machine.
    /// - Returns: The UUID in lower case.
    package static func uuid(machine: String = machine(), folders: [String], port: Int) -> String {
        let text = (["segue", "\(port)"] + folders).joined(separator: "\0")
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(text.utf8),
            using: SymmetricKey(data: Data(machine.utf8))
        )
        var bytes = Array(Data(code).prefix(16))
        // A UUID of version 8, with custom bits (RFC 9562, section 5.8).
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

    /// The machine's id, or its host name without one.
    package static func machine() -> String {
        if let text = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8) {
            let id = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if !id.isEmpty { return id }
        }
        return ProcessInfo.processInfo.hostName
    }
}
