package import SegueBase
internal import Yams

/// The keys of one mapping in a data file, taken out one by one; what is left at the end is an error.
package struct HarnessFields {
    /// The file, as errors name it.
    package let file: String

    /// The keys above this mapping, joined by dots; empty at the top.
    package let path: String

    /// The line on which the mapping begins, from 1.
    package let line: Int?

    var left: [String: Node] = [:]
    var lines: [String: Int] = [:]

    /// The files of what was taken over from others, by key.
    var origins: [String: String] = [:]

    private var asked: [String] = []

    /// The key that stands for the whole mapping, where a text was written in its place.
    private var only: String?

    /// The keys of a mapping.
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
                throw HarnessError(file: file, line: key.mark?.line, key: join(name), message: "stands twice")
            }
            left[name] = value
            lines[name] = key.mark?.line
        }
    }

    /// The keys that have not been taken, in alphabetical order.
    package var names: [String] { left.keys.sorted() }

    /// Whether a key is there and has not been taken.
    package func has(_ key: String) -> Bool { left[key] != nil }

    /// What the value of a key is made like; nil where the key is missing or has been taken.
    package func shape(_ key: String) -> Shape? {
        left[key].map { $0.mapping != nil ? .mapping : $0.sequence != nil ? .list : .text }
    }

    /// What a value is made like.
    package enum Shape: Sendable, Equatable {
        /// A text or number.
        case text
        /// A list.
        case list
        /// A mapping of keys.
        case mapping
    }

    /// Takes out the value of a key.
    private mutating func node(_ key: String) -> Node? {
        asked.append(key)
        return left.removeValue(forKey: key)
    }

    /// An error about a key of this mapping.
    package func error(_ key: String, _ message: String) -> HarnessError {
        let origin = origins[key]
        return HarnessError(
            file: origin ?? file,
            line: lines[key] ?? (origin == nil ? line : nil),
            key: join(key),
            message: message
        )
    }

    /// Takes out a text.
    package mutating func text(_ key: String) throws(HarnessError) -> String? {
        guard let node = node(key) else { return nil }
        guard let text = node.scalar?.string, !text.isEmpty else { throw error(key, "must be a text") }
        return text
    }

    /// Takes out a text that must be there.
    package mutating func requiredText(_ key: String) throws(HarnessError) -> String {
        guard let text = try text(key) else { throw error(key, "is missing") }
        return text
    }

    /// Takes out one of a set of words.
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

    /// Takes out a whole number.
    package mutating func integer(_ key: String, in range: ClosedRange<Int>) throws(HarnessError) -> Int? {
        guard let text = try text(key) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw error(key, "is \(text), must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Takes out an exact number: `12`, `0.5`, `-2.75` or `30000/1001`.
    package mutating func number(_ key: String) throws(HarnessError) -> Rational? {
        guard let text = try text(key) else { return nil }
        guard let value = Rational(decimal: text) else {
            throw error(key, "is \(text), must be a number such as 12, 0.5 or 30000/1001")
        }
        return value
    }

    /// Takes out an exact number that must be there.
    package mutating func requiredNumber(_ key: String) throws(HarnessError) -> Rational {
        guard let number = try number(key) else { throw error(key, "is missing") }
        return number
    }

    /// Takes out yes or no.
    package mutating func flag(_ key: String) throws(HarnessError) -> Bool? {
        guard let text = try text(key) else { return nil }
        switch text {
        case "true", "yes": return true
        case "false", "no": return false
        default: throw error(key, "is \(text), must be true or false")
        }
    }

    /// Takes out a list of whole numbers.
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

    /// Takes out a list of texts.
    package mutating func texts(_ key: String) throws(HarnessError) -> [String]? {
        guard let node = node(key) else { return nil }
        guard let sequence = node.sequence, sequence.allSatisfy({ $0.scalar != nil }) else {
            throw error(key, "must be a list of texts")
        }
        return sequence.compactMap { $0.scalar?.string }
    }

    /// Takes out one text or a list of them; empty where the key is missing.
    package mutating func oneOrMoreTexts(_ key: String) throws(HarnessError) -> [String] {
        guard let node = node(key) else { return [] }
        let texts = node.scalar.map { [$0.string] } ?? node.sequence?.compactMap { $0.scalar?.string } ?? []
        guard !texts.isEmpty, texts.count == node.sequence?.count ?? 1 else {
            throw error(key, "must be a text or a list of texts")
        }
        return texts
    }

    /// Takes out a mapping of free names to texts, in its order.
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

    /// Takes out a mapping with keys of its own.
    package mutating func fields(_ key: String) throws(HarnessError) -> HarnessFields? {
        guard let node = node(key) else { return nil }
        return try HarnessFields(node, file: origins[key] ?? file, path: join(key))
    }

    /// Takes out a list of mappings with keys of their own.
    package mutating func list(_ key: String) throws(HarnessError) -> [HarnessFields] {
        guard let node = node(key) else { return [] }
        guard let sequence = node.sequence else { throw error(key, "must be a list") }
        var list: [HarnessFields] = []
        for (index, item) in sequence.enumerated() {
            list.append(try HarnessFields(item, file: origins[key] ?? file, path: "\(join(key))[\(index)]"))
        }
        return list
    }

    /// Takes out a list of mappings with keys of their own, or one of them alone.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - word: A text in the place of a mapping is one that has it under this key.
    /// - Returns: The mappings; none where the key is missing.
    /// - Throws: ``HarnessError`` for what is neither a mapping nor a text.
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

    /// Makes sure that no key is left.
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
    /// A free name with its text.
    package struct Pair: Sendable, Hashable {
        /// The name.
        package let name: String

        /// The text.
        package let value: String

        /// A name with its text.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension Rational {
    /// The number that a text such as `12`, `-0.5` or `30000/1001` says, exactly.
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
