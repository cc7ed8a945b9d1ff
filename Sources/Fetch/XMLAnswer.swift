internal import Foundation
internal import FoundationXML

/// An XML document that can be asked with XPath 1.0.
///
/// Nothing outside of it is loaded, and it may declare no entities: a short text could stand for gigabytes.
package struct XMLAnswer {
    /// Why bytes are not read as XML.
    struct Unreadable: Error {
        let reason: String
    }

    /// The most bytes that are read.
    package static let limit = 16 << 20

    private let document: XMLDocument

    init(_ bytes: [UInt8]) throws(Unreadable) {
        guard bytes.count <= Self.limit else { throw Unreadable(reason: "more than \(Self.limit) bytes") }
        let data = Data(bytes)
        // In UTF-16 the word would not be found, and no server needs that.
        guard !bytes.contains(0) else { throw Unreadable(reason: "it has zero bytes") }
        guard data.range(of: Data("<!ENTITY".utf8)) == nil else { throw Unreadable(reason: "it declares entities") }
        do {
            document = try XMLDocument(data: data, options: [.nodeLoadExternalEntitiesNever])
        } catch {
            throw Unreadable(reason: error.localizedDescription.split(whereSeparator: \.isNewline).joined(separator: " "))
        }
    }

    /// The text of each node that an expression finds, in the order of the document.
    ///
    /// - Parameter path: A location path of XPath 1.0, abbreviated: names, `*`, `.`, `..`, `@`, `text()`, `/`, `//`, and
    ///   predicates that compare paths, literals and the usual functions, joined with `and` and `or`.
    /// - Returns: The nodes' texts; none where there are none, or the expression is not of that kind.
    package func strings(_ path: String) -> [String] {
        // Foundation's XPath ends the process with an expression that it cannot read.
        guard path.range(of: Self.grammar, options: .regularExpression) == path.startIndex..<path.endIndex else { return [] }
        return ((try? document.nodes(forXPath: path)) ?? []).map { $0.stringValue ?? "" }
    }

    /// The expressions that are handed on, as a regular expression.
    private static let grammar: String = {
        let test = #"(?:(?:text|node|comment)\(\)|@?(?:[A-Za-z_][\w.-]*|\*)(?![\w(:]))"#
        let step = #"(?:\.\.|\.|\#(test))"#
        let path = #"(?://?)?\#(step)(?://?\#(step))*"#
        let literal = #"(?:'[^']*'|"[^"]*"|\d+(?:\.\d+)?)"#
        let call = #"(?:last|position|local-name|name)\(\)|(?:contains|starts-with)\(\#(path), ?\#(literal)\)"#
        let operand = #"(?:\#(literal)|\#(call)|\#(path))"#
        let condition = #"\#(operand)(?: ?(?:!=|<=|>=|=|<|>) ?\#(operand))?"#
        let predicate = #"\[\#(condition)(?: (?:and|or) \#(condition))*\]"#
        let whole = #"(?:\.\.|\.|\#(test)(?:\#(predicate))*)"#
        return #"^(?://?)?\#(whole)(?://?\#(whole))*$"#
    }()

    /// The text of the first node that an expression finds; nil where there is none.
    package func string(_ path: String) -> String? { strings(path).first }
}
