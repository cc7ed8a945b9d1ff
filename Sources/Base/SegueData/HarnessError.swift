/// An error in a data file: it cannot be read, or does not match the schema.
package struct HarnessError: Error, Sendable, Equatable, CustomStringConvertible {
    package var file: String

    /// The line, from 1; nil for the whole file.
    package var line: Int?

    /// The key with its path, such as `down.rate`; empty at the top level.
    package var key: String

    package var message: String

    package var description: String {
        [file + (line.map { ":\($0)" } ?? ""), key, message].filter { !$0.isEmpty }.joined(separator: ": ")
    }

    package init(file: String, line: Int? = nil, key: String = "", message: String) {
        self.file = file
        self.line = line
        self.key = key
        self.message = message
    }
}
