internal import SegueBase

/// An XML document with XPath queries.
///
/// A document type declaration is an error: no entity can be declared that expands to gigabytes, and nothing outside of
/// the document is loaded.
public struct XMLAnswer: Sendable {
    /// The maximum size of a document: 16 MiB.
    public static let limit = 16 << 20

    private enum Node: Hashable {
        case document
        case element(Int)
        case attribute(Int, String)
        case text(Int, Int)
    }

    private enum Value {
        case nodes([Node])
        case text(String)
        case number(Double)
        case flag(Bool)
    }

    private let elements: [XMLDocument.Element]

    init(_ bytes: [UInt8]) throws(XMLDocument.Failure) {
        elements = try XMLDocument(bytes, limits: .init(bytes: Self.limit, depth: 500, allowsInstructions: true))
            .elements
    }

    /// Returns the text of each node that an expression matches, in document order.
    ///
    /// - Parameter path: A location path of XPath 1.0, abbreviated: names as they are written, `*`, `.`, `..`, `@`,
    ///   `text()`, `/`, and `//`; predicates with numbers, comparisons, `and`, `or`, `not`, `last`, `position`, `name`,
    ///   `count`, `contains` and `starts-with`.
    /// - Returns: The nodes' texts.
    /// - Throws: ``HTTPFailure`` for any other expression.
    public func strings(_ path: String) throws(HTTPFailure) -> [String] {
        do throws(XMLPath.Wrong) {
            guard
                case .nodes(let nodes) = value(
                    try XMLPath(path).expression,
                    at: Context(node: .document, position: 1, size: 1)
                )
            else { return [] }
            return nodes.map(text)
        } catch {
            throw HTTPFailure(.unreadable, "the XPath expression is invalid (\(error.reason)): \(path)", answer: nil)
        }
    }

    /// Returns the text of the first node that an expression matches.
    ///
    /// - Parameter path: A location path, as in ``strings(_:)``.
    /// - Returns: The node's text; nil if no node matches.
    /// - Throws: ``HTTPFailure`` for an invalid expression.
    public func string(_ path: String) throws(HTTPFailure) -> String? { try strings(path).first }

    // MARK: Nodes

    private func children(_ node: Node) -> [Node] {
        switch node {
        case .document: [.element(0)]
        case .element(let number):
            elements[number].content.enumerated().map { place, content in
                if case .element(let child) = content { .element(child) } else { .text(number, place) }
            }
        case .attribute, .text: []
        }
    }

    private func parent(_ node: Node) -> Node? {
        switch node {
        case .document: nil
        case .element(let number): elements[number].parent.map { .element($0) } ?? .document
        case .attribute(let number, _), .text(let number, _): .element(number)
        }
    }

    /// The node and its descendant elements, in document order.
    private func descendants(_ node: Node) -> [Node] {
        var (all, left) = ([Node](), [node])
        while let next = left.popLast() {
            all.append(next)
            left += children(next).filter { if case .element = $0 { true } else { false } }.reversed()
        }
        return all
    }

    private func text(_ node: Node) -> String {
        switch node {
        case .attribute(let number, let name): return elements[number].attributes[name] ?? ""
        case .text(let number, let place):
            if case .text(let text) = elements[number].content[place] { return text }
            return ""
        case .document, .element:
            return joined(node)
        }
    }

    private func joined(_ node: Node) -> String {
        var (result, left) = ("", [node])
        while let next = left.popLast() {
            if case .text = next { result += text(next) } else { left += children(next).reversed() }
        }
        return result
    }

    private func name(_ node: Node) -> String {
        switch node {
        case .element(let number): elements[number].name
        case .attribute(_, let name): name
        case .document, .text: ""
        }
    }

    // MARK: Expressions

    private func found(_ test: XMLPath.Test, from node: Node) -> [Node] {
        switch test {
        case .itself: return [node]
        case .parent: return parent(node).map { [$0] } ?? []
        case .descendants: return descendants(node)
        case .text: return children(node).filter { if case .text = $0 { true } else { false } }
        case .any: return children(node).filter { if case .element = $0 { true } else { false } }
        case .name(let wanted):
            return children(node).filter { child in
                if case .element(let number) = child { elements[number].name == wanted } else { false }
            }
        case .attribute(let wanted):
            guard case .element(let number) = node else { return [] }
            return elements[number].attributes.keys.sorted().filter { wanted == nil || $0 == wanted }
                .map { .attribute(number, $0) }
        }
    }

    private func walk(_ steps: [XMLPath.Step], from start: Node) -> [Node] {
        var nodes = [start]
        for step in steps {
            var (next, seen) = ([Node](), Set<Node>())
            for node in nodes {
                var kept = found(step.test, from: node)
                for predicate in step.predicates {
                    let size = kept.count
                    kept = kept.enumerated().filter { place, node in
                        let value = value(predicate, at: Context(node: node, position: place + 1, size: size))
                        if case .number(let number) = value { return number == Double(place + 1) }
                        return isTrue(value)
                    }.map(\.element)
                }
                for node in kept where seen.insert(node).inserted { next.append(node) }
            }
            nodes = next
        }
        return nodes
    }

    /// The node that an expression is evaluated for, and its place among those of its step.
    private struct Context {
        let node: Node
        /// The position, from 1.
        let position: Int
        /// The number of nodes.
        let size: Int
    }

    private func value(_ expression: XMLPath.Expression, at context: Context) -> Value {
        switch expression {
        case .path(let isAbsolute, let steps): return .nodes(walk(steps, from: isAbsolute ? .document : context.node))
        case .text(let text): return .text(text)
        case .number(let number): return .number(number)
        case .call(let call, let arguments):
            let values = arguments.map { value($0, at: context) }
            switch call {
            case "last": return .number(Double(context.size))
            case "position": return .number(Double(context.position))
            case "name": return .text(name(context.node))
            case "not": return .flag(!isTrue(values[0]))
            case "count":
                if case .nodes(let nodes) = values[0] { return .number(Double(nodes.count)) }
                return .number(0)
            case "contains":
                let (whole, part) = (string(values[0]), string(values[1]))
                return .flag(part.isEmpty || whole.contains(part))
            default: return .flag(string(values[0]).hasPrefix(string(values[1])))
            }
        case .binary("or", let left, let right):
            return .flag(isTrue(value(left, at: context)) || isTrue(value(right, at: context)))
        case .binary("and", let left, let right):
            return .flag(isTrue(value(left, at: context)) && isTrue(value(right, at: context)))
        case .binary(let sign, let left, let right):
            return .flag(compare(value(left, at: context), to: value(right, at: context), by: sign))
        }
    }

    private func isTrue(_ value: Value) -> Bool {
        switch value {
        case .nodes(let nodes): !nodes.isEmpty
        case .text(let text): !text.isEmpty
        case .number(let number): number != 0 && !number.isNaN
        case .flag(let flag): flag
        }
    }

    private func string(_ value: Value) -> String {
        switch value {
        case .nodes(let nodes): nodes.first.map(text) ?? ""
        case .text(let text): text
        case .number(let number): abs(number) < 1e15 && number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .flag(let flag): flag ? "true" : "false"
        }
    }

    private func number(_ value: Value) -> Double {
        switch value {
        case .number(let number): number
        case .flag(let flag): flag ? 1 : 0
        case .nodes, .text: Double(string(value).filter { !$0.isWhitespace }) ?? .nan
        }
    }

    /// XPath compares each node of a set, as numbers if one side is a number or the operator is an inequality.
    private func compare(_ left: Value, to right: Value, by sign: String) -> Bool {
        if case .nodes(let nodes) = left { return nodes.contains { compare(.text(text($0)), to: right, by: sign) } }
        if case .nodes(let nodes) = right { return nodes.contains { compare(left, to: .text(text($0)), by: sign) } }
        var isNumeric = sign != "=" && sign != "!="
        if case .number = left { isNumeric = true }
        if case .number = right { isNumeric = true }
        guard isNumeric else { return (string(left) == string(right)) == (sign == "=") }
        let (first, second) = (number(left), number(right))
        return switch sign {
        case "=": first == second
        case "!=": first != second
        case "<": first < second
        case ">": first > second
        case "<=": first <= second
        default: first >= second
        }
    }
}
