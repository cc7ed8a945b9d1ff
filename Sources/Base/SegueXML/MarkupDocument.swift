internal import CSegueLibXML2

/// A document that was parsed from XML or HTML, for queries with XPath.
///
/// Nothing outside of the document is loaded, and no entity can be declared. Depth, size, and the numbers of elements and
/// attributes are limited.
///
/// Unchecked: the tree of libxml2 is not Sendable. It does not change after the initializer, and each query has a context
/// of its own. The document frees the tree; each node keeps its document.
public final class MarkupDocument: @unchecked Sendable {
    private let tree: UnsafeMutableRawPointer
    /// The errors that were repaired, in the order of the document; at most 100.
    public let errors: [MarkupError]
    /// The URIs of the prefixes that the document declares; of a prefix with several URIs, the first.
    let prefixes: [String: String]

    /// Parses an XML document in any encoding that it declares.
    ///
    /// - Parameters:
    ///   - bytes: The text of the document.
    ///   - options: The limits, and the strictness.
    /// - Throws: ``MarkupError`` for a document that is not well-formed, unless the options allow repairs, and for one
    ///   that exceeds a limit.
    public convenience init(xml bytes: [UInt8], options: MarkupOptions = MarkupOptions()) throws(MarkupError) {
        try self.init(MarkupParser(options, isHTML: false).parse(bytes, encoding: nil))
    }

    /// Parses an HTML document, and repairs what is malformed.
    ///
    /// - Parameters:
    ///   - bytes: The text of the document.
    ///   - encoding: The name of the encoding; nil for UTF-8, or what the document declares.
    ///   - options: The limits of the document.
    /// - Throws: ``MarkupError`` for a document without elements, and for one that exceeds a limit.
    public convenience init(
        html bytes: [UInt8],
        encoding: String? = nil,
        options: MarkupOptions = MarkupOptions()
    ) throws(MarkupError) {
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        let parser = MarkupParser(options, isHTML: true)
        try self.init(parser.parse(bytes, encoding: encoding ?? (isUTF8 ? "UTF-8" : nil)))
    }

    private init(_ parsed: consuming MarkupParser.Parsed) {
        (tree, errors, prefixes) = (UnsafeMutableRawPointer(parsed.tree), parsed.errors, parsed.prefixes)
    }

    deinit { xmlFreeDoc(tree.assumingMemoryBound(to: xmlDoc.self)) }

    /// The document as a node.
    public var node: MarkupNode { MarkupNode(self, tree) }

    /// The outermost element.
    public var root: MarkupNode {
        guard let root = xmlDocGetRootElement(tree.assumingMemoryBound(to: xmlDoc.self)) else {
            preconditionFailure("the parser returned a document without an element")
        }
        return MarkupNode(self, UnsafeMutableRawPointer(root))
    }
}
