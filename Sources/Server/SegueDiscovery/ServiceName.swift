import Foundation

/// The name of a server for display, which is unique in a network.
package enum ServiceName {
    /// The maximum length in bytes (RFC 6763, section 4.1.1).
    static let limit = 63

    /// The default name of a server.
    package static func usual(host: String) -> String {
        // Only the first label of a fully qualified host name is used.
        let short = host.prefix { $0 != "." }
        return fitted(short.isEmpty ? "Segue" : "Segue on \(short)", ending: "")
    }

    /// The name without control characters, shortened to the limit.
    package static func fitted(_ name: String) -> String { fitted(name, ending: "") }

    /// The name to try if this one is in use: with the next number in brackets.
    package static func next(after name: String) -> String {
        if name.hasSuffix(")"), let open = name.range(of: " (", options: .backwards),
            let number = Int(name[open.upperBound...].dropLast()), (2..<1_000_000).contains(number)
        {
            return fitted(String(name[..<open.lowerBound]), ending: " (\(number + 1))")
        }
        return fitted(name, ending: " (2)")
    }

    /// The name shortened by whole characters, with an ending, within the limit.
    private static func fitted(_ name: String, ending: String) -> String {
        var name = String(name.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
        while name.utf8.count + ending.utf8.count > limit { name.removeLast() }
        return name + ending
    }
}
