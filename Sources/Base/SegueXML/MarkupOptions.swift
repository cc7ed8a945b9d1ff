/// The limits and the strictness of a parser.
public struct MarkupOptions: Sendable {
    /// The greatest depth that libxml2 allows.
    static let greatestDepth = 256

    /// The maximum number of bytes.
    public var byteLimit = 16 << 20

    /// The maximum number of elements.
    public var elementLimit = 500_000

    /// The maximum number of elements within each other; at most 256.
    public var depthLimit = 250

    /// The maximum number of attributes of one element.
    public var attributeLimit = 1000

    /// True to repair a malformed XML document as far as possible, instead of rejecting it.
    public var recovers = false

    /// True if an XML document may have a document type without declarations in it.
    ///
    /// Declarations are always an error, and external ones are never loaded.
    public var allowsDocumentType = true

    /// True if an XML document may have processing instructions.
    public var allowsInstructions = true

    /// True if a name without a prefix in an XPath expression matches elements of a default namespace.
    ///
    /// XPath 1.0 finds these elements only by a prefix: set it to false, and pass the prefix to the query.
    public var ignoresDefaultNamespace = true

    /// Creates options with the default limits.
    public init() {}
}
