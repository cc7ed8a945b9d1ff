/// A version of an operating system, such as iOS 4.2.1.
package struct SystemVersion: Sendable, Hashable {
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

    /// Returns whether this is the other version of the same system, or a later one.
    package func isAtLeast(_ other: SystemVersion) -> Bool {
        system == other.system && !numbers.lexicographicallyPrecedes(other.numbers)
    }
}

extension SystemVersion: CustomStringConvertible {
    package var description: String { "\(system) \(numbers.map(String.init).joined(separator: "."))" }
}
