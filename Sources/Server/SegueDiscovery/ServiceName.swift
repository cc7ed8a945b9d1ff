import Foundation

/// The name under which people see a server, which no two in a network may share.
package enum ServiceName {
    /// The most bytes that DNS-SD allows (RFC 6763, section 4.1.1).
    static let limit = 63

    /// The name of a server that nobody has named.
    package static func usual(host: String) -> String {
        // A host that was given its full name is known by the first part of it.
        let short = host.prefix { $0 != "." }
        return fitted(short.isEmpty ? "Segue" : "Segue on \(short)", ending: "")
    }

    /// The name as it may be announced; control characters, which no list shows, are left out.
    package static func fitted(_ name: String) -> String { fitted(name, ending: "") }

    /// The name to try when another server has this one: the same with the next number in brackets.
    package static func next(after name: String) -> String {
        if name.hasSuffix(")"), let open = name.range(of: " (", options: .backwards),
            let number = Int(name[open.upperBound...].dropLast()), (2..<1_000_000).contains(number)
        {
            return fitted(String(name[..<open.lowerBound]), ending: " (\(number + 1))")
        }
        return fitted(name, ending: " (2)")
    }

    /// Name and ending in no more bytes than are allowed; what is too long loses whole characters before the ending.
    private static func fitted(_ name: String, ending: String) -> String {
        var name = String(name.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
        while name.utf8.count + ending.utf8.count > limit { name.removeLast() }
        return name + ending
    }
}
