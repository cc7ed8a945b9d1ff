/// A size as data files and options write it: `128 KiB`, `3 MiB`.
package struct ByteSize: Sendable, Equatable {
    /// What one must look like, for messages.
    package static let shape = "a number of KiB or MiB such as 128 KiB"

    /// The bytes, from 1024 to 1,000,000 MiB.
    package let bytes: Int

    /// Reads one, whose unit may follow the number at once; nil for a text that is none.
    package init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let units: [Substring: Int] = ["KiB": 1 << 10, "MiB": 1 << 20]
        guard let number = Int(digits), (1...1_000_000).contains(number),
            let unit = units[text.dropFirst(digits.count).drop { $0 == " " }]
        else { return nil }
        bytes = number * unit
    }
}
