package import SegueBase

/// Reads the small XML documents of SOAP and of device descriptions, from any sender.
package enum XMLReader {
    /// An error in a document.
    package typealias Failure = XMLDocument.Failure

    /// The limits of a document.
    package enum Limit {
        package static let bytes = 64 << 10
        package static let elements = 512
        package static let depth = 24
        package static let attributes = 32
    }

    /// Reads a document.
    ///
    /// - Returns: The document's element; attributes, prefixes, and comments are dropped.
    /// - Throws: ``Failure`` for a document that is not well-formed or exceeds a ``Limit``.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> XMLNode {
        let limits = XMLDocument.Limits(
            bytes: Limit.bytes,
            elements: Limit.elements,
            depth: Limit.depth,
            attributes: Limit.attributes
        )
        return XMLNode(try XMLDocument(bytes, limits: limits), element: 0)
    }
}

extension XMLNode {
    fileprivate init(_ document: XMLDocument, element index: Int) {
        let element = document.elements[index]
        self.init(name: element.name.split(separator: ":").last.map(String.init) ?? element.name)
        for content in element.content {
            switch content {
            case .text(let text): self.text += text
            case .element(let child): children.append(XMLNode(document, element: child))
            }
        }
    }
}
