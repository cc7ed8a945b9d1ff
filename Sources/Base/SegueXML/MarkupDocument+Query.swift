internal import CSegueLibXML2

/// The result of an XPath expression.
public enum MarkupValue: Sendable, Hashable {
    /// Nodes, in the order of the document.
    case nodes([MarkupNode])
    /// A number, such as the result of `count()`.
    case number(Double)
    /// A text, such as the result of `string()`.
    case string(String)
    /// True or false.
    case boolean(Bool)
}

extension MarkupDocument {
    /// The maximum length of an expression in bytes.
    private static let expressionLimit = 4096

    /// The maximum number of steps of an evaluation, which take about a second.
    private static let stepLimit: UInt = 20_000_000

    /// Evaluates an XPath 1.0 expression.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - node: The node at which relative paths start; nil for the document.
    ///   - namespaces: The URIs of prefixes, in addition to those that the document declares.
    /// - Returns: The value.
    /// - Throws: ``MarkupError`` for an invalid expression, and for one that takes too many steps.
    public func query(
        _ expression: String,
        at node: MarkupNode? = nil,
        namespaces: [String: String] = [:]
    ) throws(MarkupError) -> MarkupValue {
        precondition(node == nil || node?.document === self, "the node belongs to another document")
        guard expression.utf8.count <= Self.expressionLimit else {
            throw MarkupError("the expression is longer than \(Self.expressionLimit) bytes")
        }
        // A zero byte would hide the rest from libxml2.
        guard !expression.utf8.contains(0) else { throw MarkupError("the expression contains a zero byte") }
        let start = (node ?? self.node).pointer
        guard let context = xmlXPathNewContext(self.node.pointer.assumingMemoryBound(to: xmlDoc.self)) else {
            throw MarkupError("libxml2 has no memory for a query")
        }
        defer { xmlXPathFreeContext(context) }
        context.pointee.node = start.assumingMemoryBound(to: xmlNode.self)
        context.pointee.opLimit = Self.stepLimit
        let errors = QueryErrors()
        context.pointee.userData = Unmanaged.passUnretained(errors).toOpaque()
        context.pointee.error = { errors, error in
            guard let errors, let message = error?.pointee.message else { return }
            Unmanaged<QueryErrors>.fromOpaque(errors).takeUnretainedValue().note(String(cString: message))
        }
        for (prefix, uri) in prefixes.merging(namespaces, uniquingKeysWith: { $1 }) {
            xmlXPathRegisterNs(context, prefix, uri)
        }
        let result = withExtendedLifetime(errors) { xmlXPathEvalExpression(expression, context) }
        defer { xmlXPathFreeObject(result) }
        guard let result, let value = value(result.pointee) else {
            throw MarkupError(errors.first ?? "the expression is invalid")
        }
        return value
    }

    /// Returns the nodes that an expression matches.
    ///
    /// - Parameters:
    ///   - expression: An XPath 1.0 expression.
    ///   - node: The node at which relative paths start; nil for the document.
    ///   - namespaces: The URIs of prefixes, in addition to those that the document declares.
    /// - Returns: The nodes in the order of the document; none if the expression has another kind of value.
    /// - Throws: ``MarkupError``, as ``query(_:at:namespaces:)``.
    public func nodes(
        _ expression: String,
        at node: MarkupNode? = nil,
        namespaces: [String: String] = [:]
    ) throws(MarkupError) -> [MarkupNode] {
        guard case .nodes(let nodes) = try query(expression, at: node, namespaces: namespaces) else { return [] }
        return nodes
    }

    private func value(_ object: xmlXPathObject) -> MarkupValue? {
        switch object.type {
        case XPATH_NODESET:
            guard let set = object.nodesetval else { return .nodes([]) }
            xmlXPathNodeSetSort(set)
            let found = (0..<Int(set.pointee.nodeNr)).compactMap { set.pointee.nodeTab?[$0] }
            // Namespace nodes belong to the result, not to the document.
            return .nodes(
                found.filter { $0.pointee.type != XML_NAMESPACE_DECL }
                    .map { MarkupNode(self, UnsafeMutableRawPointer($0)) }
            )
        case XPATH_BOOLEAN: return .boolean(object.boolval != 0)
        case XPATH_NUMBER: return .number(object.floatval)
        case XPATH_STRING: return .string(LibXML.string(object.stringval) ?? "")
        default: return nil
        }
    }
}

/// The errors of one query.
private final class QueryErrors {
    private(set) var first: String?

    func note(_ message: String) {
        guard first == nil else { return }
        first = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
