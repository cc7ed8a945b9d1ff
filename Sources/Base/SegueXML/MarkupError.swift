/// An error in a document or in an XPath expression.
public struct MarkupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error, in one line.
    public let message: String

    /// The line of the error, from 1; nil for an error without a position.
    public let line: Int?

    /// The column of the error, from 1; nil if it is unknown.
    public let column: Int?

    init(_ message: String, line: Int? = nil, column: Int? = nil) {
        (self.message, self.line, self.column) = (message, line, column)
    }

    /// The position and the error, in one line.
    public var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        return place.isEmpty ? message : "\(place.joined(separator: ", ")): \(message)"
    }
}
