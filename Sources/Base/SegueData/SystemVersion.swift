/// A version of an operating system, such as iOS 4.2.1.
package struct SystemVersion: Sendable, Hashable, Codable {
    /// The name of the system, such as iOS.
    package let system: String
    /// The numbers of the version, the most significant first.
    package let numbers: [Int]

    package init(_ system: String, _ numbers: Int...) { (self.system, self.numbers) = (system, numbers) }

    /// Reads a name and a version of one to four numbers; nil for other text.
    package init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, parts[0].allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        let numbers = parts[1].split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...4).contains(numbers.count), numbers.allSatisfy({ $0.map { 0..<1000 ~= $0 } ?? false }) else {
            return nil
        }
        (system, self.numbers) = (String(parts[0]), numbers.compactMap(\.self))
    }

    /// Returns whether this is the other version of the same system, or a later one; 4 is 4.0.
    package func isAtLeast(_ other: SystemVersion) -> Bool {
        func padded(_ numbers: [Int]) -> [Int] { numbers + Array(repeating: 0, count: max(0, 4 - numbers.count)) }
        return system == other.system && !padded(numbers).lexicographicallyPrecedes(padded(other.numbers))
    }
}

extension SystemVersion: CustomStringConvertible {
    package var description: String { "\(system) \(numbers.map(String.init).joined(separator: "."))" }
}

/// A range of versions of a system, such as iOS 3.0 to 3.1.3.
package struct SystemRange: Sendable, Hashable, Codable {
    package let first: SystemVersion
    /// The last version; nil without an end.
    package let last: SystemVersion?

    /// Reads `iOS 3.0 to 3.1.3` or `iOS 10.0 or later`; nil for other text.
    package init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 4, let first = SystemVersion("\(words[0]) \(words[1])") else { return nil }
        self.first = first
        switch (words[2], words[3]) {
        case ("or", "later"): last = nil
        case ("to", let end):
            guard let last = SystemVersion("\(words[0]) \(end)"), last.isAtLeast(first) else { return nil }
            self.last = last
        default: return nil
        }
    }

    package func contains(_ version: SystemVersion) -> Bool {
        version.isAtLeast(first) && last.map { $0.isAtLeast(version) } ?? true
    }
}

extension SystemRange: CustomStringConvertible {
    package var description: String {
        let end = last.map { "to " + $0.numbers.map(String.init).joined(separator: ".") } ?? "or later"
        return "\(first) \(end)"
    }
}
