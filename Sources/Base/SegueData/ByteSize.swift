/// A size in data files and options: `128 KiB`, `3 MiB`.
package struct ByteSize: Sendable, Equatable {
    /// The expected form, for messages.
    package static let shape = "a number of KiB or MiB such as 128 KiB"

    /// The size in bytes, from 1024 to 1,000,000 MiB.
    package let bytes: Int

    /// Reads a size, with or without a space before the unit; nil for any other text.
    package init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let units: [Substring: Int] = ["KiB": 1 << 10, "MiB": 1 << 20]
        guard let number = Int(digits), (1...1_000_000).contains(number),
            let unit = units[text.dropFirst(digits.count).drop { $0 == " " }]
        else { return nil }
        bytes = number * unit
    }
}
