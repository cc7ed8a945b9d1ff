package import SegueXML

/// Reads the small XML documents of SOAP and of device descriptions, from any sender.
package enum XMLReader {
    /// An error in a document.
    package typealias Failure = MarkupError

    /// The limits of a document.
    package enum Limit {
        package static let bytes = 64 << 10
        package static let elements = 512
        package static let depth = 24
        package static let attributes = 32
    }

    /// Reads a document.
    ///
    /// SOAP forbids document types and processing instructions (SOAP 1.1, section 3).
    ///
    /// - Returns: The document's element; attributes, prefixes, and comments are dropped.
    /// - Throws: ``Failure`` for a document that is not well-formed or exceeds a ``Limit``.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> XMLNode {
        var options = MarkupOptions()
        (options.byteLimit, options.elementLimit) = (Limit.bytes, Limit.elements)
        (options.depthLimit, options.attributeLimit) = (Limit.depth, Limit.attributes)
        (options.allowsDocumentType, options.allowsInstructions) = (false, false)
        return XMLNode(try MarkupDocument(xml: bytes, options: options).root)
    }
}

extension XMLNode {
    fileprivate init(_ element: MarkupNode) {
        self.init(name: element.name)
        for child in element.children {
            switch child.kind {
            case .text: text += child.content
            case .element: children.append(XMLNode(child))
            default: break
            }
        }
    }
}
