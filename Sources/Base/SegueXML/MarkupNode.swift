internal import CSegueLibXML2

/// A node of a document: an element, an attribute, or text.
///
/// Unchecked: the pointer refers to a tree of libxml2, which its ``MarkupDocument`` keeps and nothing changes.
public struct MarkupNode: @unchecked Sendable {
    /// The kind of a node.
    public enum Kind: Sendable, Hashable {
        /// An element with its attributes and children.
        case element
        /// An attribute of an element.
        case attribute
        /// Text, with its references resolved.
        case text
        /// A comment, without its delimiters.
        case comment
        /// A processing instruction.
        case instruction
        /// The document itself.
        case document
        /// Anything else, such as a reference to an entity that is not declared.
        case other
    }

    /// The document of the node.
    public let document: MarkupDocument
    /// An `xmlNode`, or an `xmlAttr` or `xmlDoc`, which begin with the same members.
    let pointer: UnsafeMutableRawPointer

    init(_ document: MarkupDocument, _ pointer: UnsafeMutableRawPointer) {
        (self.document, self.pointer) = (document, pointer)
    }

    /// The kind of the node.
    public var kind: Kind {
        switch node.pointee.type {
        case XML_ELEMENT_NODE: .element
        case XML_ATTRIBUTE_NODE: .attribute
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: .text
        case XML_COMMENT_NODE: .comment
        case XML_PI_NODE: .instruction
        case XML_DOCUMENT_NODE, XML_HTML_DOCUMENT_NODE: .document
        default: .other
        }
    }

    /// The name without its prefix; empty for text, comments, and the document.
    public var name: String { names.name }

    /// The prefix of the name as written; nil if there is none.
    public var prefix: String? { names.prefix }

    /// The URI of the node's namespace; nil if there is none.
    public var namespace: String? {
        guard kind == .element || kind == .attribute else { return nil }
        if let found = node.pointee.ns { return LibXML.string(found.pointee.href) }
        guard kind == .element, prefix == nil else { return nil }
        return defaultNamespace
    }

    /// The text of the node and of all elements in it.
    public var content: String {
        switch kind {
        case .text, .comment, .instruction: LibXML.string(node.pointee.content) ?? ""
        case .element, .attribute, .document: joinedText
        case .other: ""
        }
    }

    /// The attributes of an element, in the order of the document.
    public var attributes: [MarkupNode] {
        guard kind == .element else { return [] }
        var (nodes, next) = ([MarkupNode](), node.pointee.properties)
        while let attribute = next {
            nodes.append(MarkupNode(document, UnsafeMutableRawPointer(attribute)))
            next = attribute.pointee.next
        }
        return nodes
    }

    /// The nodes in an element or in the document, in their order, without attributes.
    public var children: [MarkupNode] {
        guard kind == .element || kind == .document else { return [] }
        var (nodes, next) = ([MarkupNode](), node.pointee.children)
        while let child = next {
            nodes.append(MarkupNode(document, UnsafeMutableRawPointer(child)))
            next = child.pointee.next
        }
        return nodes
    }

    /// The elements in an element or in the document, in their order.
    public var elements: [MarkupNode] { children.filter { $0.kind == .element } }

    /// The enclosing element, or the document; nil for the document.
    public var parent: MarkupNode? {
        kind == .document ? nil : node.pointee.parent.map { MarkupNode(document, UnsafeMutableRawPointer($0)) }
    }

    /// The line at which the node begins, from 1; nil if it is unknown.
    public var line: Int? {
        guard kind != .document else { return nil }
        let line = xmlGetLineNo(kind == .attribute ? node.pointee.parent : node)
        return line > 0 ? line : nil
    }

    /// Returns the value of an attribute.
    ///
    /// - Parameter name: The name of the attribute without a prefix.
    /// - Returns: The value; nil if there is no such attribute.
    public subscript(name: String) -> String? { attributes.first { $0.name == name }?.content }

    private var node: UnsafeMutablePointer<xmlNode> { pointer.assumingMemoryBound(to: xmlNode.self) }

    private var names: (prefix: String?, name: String) {
        guard kind == .element || kind == .attribute || kind == .instruction,
            let name = LibXML.string(node.pointee.name)
        else { return (nil, "") }
        if kind != .instruction, let found = node.pointee.ns { return (LibXML.string(found.pointee.prefix), name) }
        // libxml2 leaves a prefix that is not declared in the name.
        guard let colon = name.lastIndex(of: ":") else { return (nil, name) }
        return (String(name[..<colon]), String(name[name.index(after: colon)...]))
    }

    /// The default namespace that is declared nearest to the element.
    private var defaultNamespace: String? {
        var element: UnsafeMutablePointer<xmlNode>? = node
        while let at = element, at.pointee.type == XML_ELEMENT_NODE {
            var declared = at.pointee.nsDef
            while let namespace = declared {
                if namespace.pointee.prefix == nil {
                    let uri = LibXML.string(namespace.pointee.href) ?? ""
                    return uri.isEmpty ? nil : uri
                }
                declared = namespace.pointee.next
            }
            element = at.pointee.parent
        }
        return nil
    }

    /// The text nodes below this one, without recursion.
    private var joinedText: String {
        var text = ""
        var next = node.pointee.children
        while let current = next {
            let type = current.pointee.type
            if type == XML_TEXT_NODE || type == XML_CDATA_SECTION_NODE {
                text += LibXML.string(current.pointee.content) ?? ""
            }
            if type == XML_ELEMENT_NODE, let child = current.pointee.children {
                next = child
                continue
            }
            var last = current
            while last.pointee.next == nil, let parent = last.pointee.parent, parent != node { last = parent }
            next = last.pointee.next
        }
        return text
    }
}

extension MarkupNode: Hashable {
    /// Returns true if both are the same node of the same document.
    public static func == (left: MarkupNode, right: MarkupNode) -> Bool { left.pointer == right.pointer }

    /// Hashes the identity of the node.
    public func hash(into hasher: inout Hasher) { hasher.combine(pointer) }
}

/// Texts of libxml2, which are UTF-8.
enum LibXML {
    static func string(_ text: UnsafePointer<xmlChar>?) -> String? { text.map { String(cString: $0) } }

    static func string(_ text: UnsafeMutablePointer<xmlChar>?) -> String? { text.map { String(cString: $0) } }
}
