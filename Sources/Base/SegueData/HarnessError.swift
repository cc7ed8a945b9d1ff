/// A data file that cannot be read, or does not fit the schema.
package struct HarnessError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file.
    package var file: String

    /// The line in it, from 1; nil where the whole file is meant.
    package var line: Int?

    /// The key that is wrong, with those above it, such as `down.rate`; empty at the top.
    package var key: String

    /// What is wrong with it.
    package var message: String

    package var description: String {
        [file + (line.map { ":\($0)" } ?? ""), key, message].filter { !$0.isEmpty }.joined(separator: ": ")
    }

    /// An error at a place of a file.
    package init(file: String, line: Int? = nil, key: String = "", message: String) {
        self.file = file
        self.line = line
        self.key = key
        self.message = message
    }
}
