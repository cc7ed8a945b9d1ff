import ArgumentParser
import SegueSuite

/// The number of a part of a suite, such as `3/40`.
struct ShardNumber: ExpressibleByArgument {
    /// The part, from 1.
    let number: Int
    /// The number of parts.
    let count: Int

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
            (1...RunHeader.mostParts).contains(count), (1...count).contains(number)
        else { return nil }
        (self.number, self.count) = (number, count)
    }
}
