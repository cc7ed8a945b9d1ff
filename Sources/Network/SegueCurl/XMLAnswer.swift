public import SegueXML

/// An XML document with XPath queries.
///
/// No entity can be declared, and nothing outside of the document is loaded.
public struct XMLAnswer: Sendable {
    /// The maximum size of a document: 16 MiB.
    public static let limit = 16 << 20

    /// The document, for queries that return nodes.
    public let document: MarkupDocument

    init(_ bytes: [UInt8], recovering: Bool) throws(MarkupError) {
        var options = MarkupOptions()
        (options.byteLimit, options.recovers) = (Self.limit, recovering)
        document = try MarkupDocument(xml: bytes, options: options)
    }

    /// Returns the text of each node that an expression matches, in document order.
    ///
    /// - Parameter path: An expression of XPath 1.0. Names without a prefix match elements of a default namespace.
    /// - Returns: The nodes' texts; one text for an expression whose value is a text, a number, or a Boolean.
    /// - Throws: ``HTTPFailure`` for an invalid expression.
    public func strings(_ path: String) throws(HTTPFailure) -> [String] {
        do throws(MarkupError) {
            switch try document.query(path) {
            case .nodes(let nodes): return nodes.map(\.content)
            case .string(let text): return [text]
            case .number(let number):
                let isInteger = abs(number) < 1e15 && number == number.rounded()
                return [isInteger ? "\(Int(number))" : "\(number)"]
            case .boolean(let isTrue): return [isTrue ? "true" : "false"]
            }
        } catch {
            throw HTTPFailure(.unreadable, "the XPath expression is invalid (\(error)): \(path)", answer: nil)
        }
    }

    /// Returns the text of the first node that an expression matches.
    ///
    /// - Parameter path: An expression, as in ``strings(_:)``.
    /// - Returns: The node's text; nil if no node matches.
    /// - Throws: ``HTTPFailure`` for an invalid expression.
    public func string(_ path: String) throws(HTTPFailure) -> String? { try strings(path).first }
}
