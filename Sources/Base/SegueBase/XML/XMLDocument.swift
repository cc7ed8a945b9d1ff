/// An XML 1.0 document in UTF-8, read within limits.
///
/// A document type declaration is an error: nothing can be declared that grows when it is expanded, and nothing is
/// loaded from outside of the document. Foundation's reader ends the process on input that is not well-formed.
package struct XMLDocument: Sendable {
    /// The limits of a document.
    package struct Limits: Sendable {
        /// The maximum number of bytes.
        package var bytes: Int
        /// The maximum number of elements.
        package var elements = Int.max
        /// The maximum number of elements within each other.
        package var depth: Int
        /// The maximum number of attributes of one element.
        package var attributes = Int.max
        /// True if processing instructions are skipped; otherwise they are an error.
        package var allowsInstructions = false

        package init(
            bytes: Int,
            elements: Int = .max,
            depth: Int,
            attributes: Int = .max,
            allowsInstructions: Bool = false
        ) {
            (self.bytes, self.elements, self.depth, self.attributes) = (bytes, elements, depth, attributes)
            self.allowsInstructions = allowsInstructions
        }
    }

    /// An error in a document.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package var message: String
        /// The position of the error, in bytes.
        package var offset: Int

        package init(message: String, offset: Int) { (self.message, self.offset) = (message, offset) }

        package var description: String { "XML, byte \(offset): \(message)" }
    }

    package struct Element: Sendable {
        /// The name as written, with its prefix.
        package let name: String
        package let attributes: [String: String]
        /// The index of the enclosing element; nil for the document's own element.
        package let parent: Int?
        package internal(set) var content: [Content] = []
    }

    package enum Content: Sendable {
        /// Text, with its references resolved.
        case text(String)
        /// The index of an element.
        case element(Int)
    }

    /// The elements in the order of their start tags; the first is the document's own.
    package let elements: [Element]

    /// Reads a document.
    ///
    /// - Throws: ``Failure`` for a document that is not well-formed or exceeds a limit.
    package init(_ bytes: [UInt8], limits: Limits) throws(Failure) {
        guard bytes.count <= limits.bytes else {
            throw Failure(message: "the document exceeds \(limits.bytes) bytes", offset: limits.bytes)
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Failure(message: "the document is not UTF-8", offset: 0)
        }
        var reader = XMLDocumentReader(bytes, limits)
        try reader.read()
        elements = reader.elements
    }
}
