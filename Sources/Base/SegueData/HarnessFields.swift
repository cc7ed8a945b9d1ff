package import SegueBase
internal import Yams

/// The keys of a mapping in a data file, consumed one by one; unknown keys are an error at the end.
package struct HarnessFields {
    /// The file name in errors.
    package let file: String

    /// The path of keys above this mapping, joined by dots; empty at the top level.
    package let path: String

    /// The first line of the mapping, from 1.
    package let line: Int?

    var left: [String: Node] = [:]
    var lines: [String: Int] = [:]

    /// The files from which keys were inherited, by key.
    var origins: [String: String] = [:]

    private var asked: [String] = []

    /// The key that a plain text in place of the mapping stands for.
    private var only: String?

    init(_ node: Node, file: String, path: String) throws(HarnessError) {
        self.file = file
        self.path = path
        line = node.mark?.line
        guard let mapping = node.mapping else {
            throw HarnessError(file: file, line: node.mark?.line, key: path, message: "must be a mapping of keys")
        }
        for (key, value) in mapping {
            guard let name = key.scalar?.string else {
                throw HarnessError(file: file, line: key.mark?.line, key: path, message: "a key must be a word")
            }
            guard left[name] == nil else {
                throw HarnessError(file: file, line: key.mark?.line, key: join(name), message: "occurs twice")
            }
            left[name] = value
            lines[name] = key.mark?.line
        }
    }

    /// The remaining keys, in alphabetical order.
    package var names: [String] { left.keys.sorted() }

    /// Returns whether a key remains.
    package func has(_ key: String) -> Bool { left[key] != nil }

    /// The kind of a key's value; nil for a missing or consumed key.
    package func shape(_ key: String) -> Shape? {
        left[key].map { $0.mapping != nil ? .mapping : $0.sequence != nil ? .list : .text }
    }

    /// The kind of a value.
    package enum Shape: Sendable, Equatable {
        /// A text or a number.
        case text
        case list
        case mapping
    }

    /// Consumes the value of a key.
    private mutating func node(_ key: String) -> Node? {
        asked.append(key)
        return left.removeValue(forKey: key)
    }

    /// Creates an error about a key of this mapping.
    package func error(_ key: String, _ message: String) -> HarnessError {
        let origin = origins[key]
        return HarnessError(
            file: origin ?? file,
            line: lines[key] ?? (origin == nil ? line : nil),
            key: join(key),
            message: message
        )
    }

    /// Consumes a text.
    package mutating func text(_ key: String) throws(HarnessError) -> String? {
        guard let node = node(key) else { return nil }
        guard let text = node.scalar?.string, !text.isEmpty else { throw error(key, "must be a text") }
        return text
    }

    /// Consumes a required text.
    package mutating func requiredText(_ key: String) throws(HarnessError) -> String {
        guard let text = try text(key) else { throw error(key, "is missing") }
        return text
    }

    /// Consumes one of a set of words.
    package mutating func word<Choice: RawRepresentable & CaseIterable>(
        _ key: String,
        of type: Choice.Type
    ) throws(HarnessError) -> Choice? where Choice.RawValue == String {
        guard let text = try text(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw error(key, UnknownName(text, among: Choice.allCases.map(\.rawValue)).description)
        }
        return choice
    }

    /// Consumes a whole number.
    package mutating func integer(_ key: String, in range: ClosedRange<Int>) throws(HarnessError) -> Int? {
        guard let text = try text(key) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw error(key, "is \(text), must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Consumes an exact number: `12`, `0.5`, `-2.75`, or `30000/1001`.
    package mutating func number(_ key: String) throws(HarnessError) -> Rational? {
        guard let text = try text(key) else { return nil }
        guard let value = Rational(decimal: text) else {
            throw error(key, "is \(text), must be a number such as 12, 0.5 or 30000/1001")
        }
        return value
    }

    /// Consumes a required exact number.
    package mutating func requiredNumber(_ key: String) throws(HarnessError) -> Rational {
        guard let number = try number(key) else { throw error(key, "is missing") }
        return number
    }

    /// Consumes a Boolean.
    package mutating func flag(_ key: String) throws(HarnessError) -> Bool? {
        guard let text = try text(key) else { return nil }
        switch text {
        case "true", "yes": return true
        case "false", "no": return false
        default: throw error(key, "is \(text), must be true or false")
        }
    }

    /// Consumes a list of whole numbers.
    package mutating func integers(_ key: String) throws(HarnessError) -> [Int]? {
        guard let node = node(key) else { return nil }
        guard let sequence = node.sequence else { throw error(key, "must be a list of whole numbers") }
        var numbers: [Int] = []
        for item in sequence {
            guard let number = item.scalar.flatMap({ Int($0.string) }) else {
                throw error(key, "must be a list of whole numbers")
            }
            numbers.append(number)
        }
        return numbers
    }

    /// Consumes a list of texts.
    package mutating func texts(_ key: String) throws(HarnessError) -> [String]? {
        guard let node = node(key) else { return nil }
        guard let sequence = node.sequence, sequence.allSatisfy({ $0.scalar != nil }) else {
            throw error(key, "must be a list of texts")
        }
        return sequence.compactMap { $0.scalar?.string }
    }

    /// Consumes one text or a list of texts; empty for a missing key.
    package mutating func oneOrMoreTexts(_ key: String) throws(HarnessError) -> [String] {
        guard let node = node(key) else { return [] }
        let texts = node.scalar.map { [$0.string] } ?? node.sequence?.compactMap { $0.scalar?.string } ?? []
        guard !texts.isEmpty, texts.count == node.sequence?.count ?? 1 else {
            throw error(key, "must be a text or a list of texts")
        }
        return texts
    }

    /// Consumes a mapping from names to texts, in order.
    package mutating func pairs(_ key: String) throws(HarnessError) -> [HarnessFields.Pair] {
        guard let node = node(key) else { return [] }
        guard let mapping = node.mapping else { throw error(key, "must be a mapping of names to texts") }
        var pairs: [HarnessFields.Pair] = []
        for (name, value) in mapping {
            guard let name = name.scalar?.string, let value = value.scalar?.string else {
                throw error(key, "must be a mapping of names to texts")
            }
            pairs.append(HarnessFields.Pair(name: name, value: value))
        }
        return pairs
    }

    /// Consumes a nested mapping.
    package mutating func fields(_ key: String) throws(HarnessError) -> HarnessFields? {
        guard let node = node(key) else { return nil }
        return try HarnessFields(node, file: origins[key] ?? file, path: join(key))
    }

    /// Consumes a list of mappings.
    package mutating func list(_ key: String) throws(HarnessError) -> [HarnessFields] {
        guard let node = node(key) else { return [] }
        guard let sequence = node.sequence else { throw error(key, "must be a list") }
        var list: [HarnessFields] = []
        for (index, item) in sequence.enumerated() {
            list.append(try HarnessFields(item, file: origins[key] ?? file, path: "\(join(key))[\(index)]"))
        }
        return list
    }

    /// Consumes a list of mappings, or a single mapping.
    ///
    /// - Parameters:
    ///   - word: The key for which a plain text in place of a mapping stands.
    /// - Returns: The mappings; none for a missing key.
    /// - Throws: ``HarnessError`` for a value that is neither a mapping nor a text.
    package mutating func list(_ key: String, textsAs word: String) throws(HarnessError) -> [HarnessFields] {
        guard let node = node(key) else { return [] }
        var list: [HarnessFields] = []
        for (index, item) in (node.sequence.map(Array.init) ?? [node]).enumerated() {
            let path = node.sequence == nil ? join(key) : "\(join(key))[\(index)]"
            let name = Node.scalar(Node.Scalar(word, .implicit, .any, item.mark))
            let mapping = Node.mapping(Node.Mapping([(name, item)], .implicit, .any, item.mark))
            let isText = item.scalar != nil
            var fields = try HarnessFields(isText ? mapping : item, file: origins[key] ?? file, path: path)
            if isText { fields.only = word }
            list.append(fields)
        }
        return list
    }

    /// Throws an error if a key remains.
    package func finish() throws(HarnessError) {
        guard let key = left.keys.min(by: { (lines[$0] ?? 0) < (lines[$1] ?? 0) }) else { return }
        throw error(key, "is not a key here: " + UnknownName(key, among: asked).description)
    }

    private func join(_ key: String) -> String {
        if key == only { return path }
        return path.isEmpty ? key : path + "." + key
    }
}

extension HarnessFields {
    package struct Pair: Sendable, Hashable {
        package let name: String

        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension Rational {
    /// Reads an exact number such as `12`, `-0.5`, or `30000/1001`.
    package init?(decimal text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let numerator = Int64(parts[0]), let denominator = Int64(parts[1]), denominator > 0 else {
                return nil
            }
            self.init(numerator, denominator)
            return
        }
        let digits = text.split(separator: ".", omittingEmptySubsequences: false)
        if digits.count == 1, let whole = Int64(text) {
            self.init(whole)
            return
        }
        guard digits.count == 2, (1...9).contains(digits[1].count), !digits[0].isEmpty,
            digits[1].allSatisfy(\.isASCII), let all = Int64(digits[0] + digits[1])
        else { return nil }
        var scale: Int64 = 1
        for _ in digits[1] { scale *= 10 }
        self.init(all, scale)
    }
}
