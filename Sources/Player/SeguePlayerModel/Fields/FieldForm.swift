internal import SegueBase
internal import SegueData

/// The notation of a field's value: how a file writes it, and how it is read.
struct FieldForm<Value>: Sendable {
    /// The notation in a few words, for the reference page.
    let notation: String

    /// The words that stand for values; empty if the value is not a word.
    var words: [FieldWord] = []

    /// The words of a value, for requirements; empty if it is not a word or a list of words.
    var texts: @Sendable (Value) -> [String] = { _ in [] }

    /// The words that may be required; empty if the value is not a word or a list of words.
    var requirable: [String] = []

    /// Reads the value of the key; nil if the key is missing.
    let read: @Sendable (inout HarnessFields, String) throws(HarnessError) -> Value?
}

/// A word that a field accepts.
struct FieldWord: Sendable, Equatable {
    let word: String
    let meaning: String
}

/// A set of words, one of which is a field's value.
package protocol FieldChoice: RawRepresentable<String>, CaseIterable, Sendable, Equatable {
    /// A sentence for the reference page.
    var meaning: String { get }
}

extension FieldChoice {
    static var words: [FieldWord] { allCases.map { FieldWord(word: $0.rawValue, meaning: $0.meaning) } }

    fileprivate static func named(_ word: String, in fields: HarnessFields, _ key: String) throws(HarnessError) -> Self
    {
        guard let choice = Self(rawValue: word) else {
            throw fields.error(key, UnknownName(word, among: allCases.map(\.rawValue)).description)
        }
        return choice
    }
}

// MARK: Words

extension FieldForm where Value: FieldChoice {
    static var word: Self {
        Self(
            notation: "a word",
            words: Value.words,
            texts: { [$0.rawValue] },
            requirable: Value.allCases.map(\.rawValue)
        ) { fields, key throws(HarnessError) in
            try fields.word(key, of: Value.self)
        }
    }
}

extension FieldForm {
    static func words<Choice: FieldChoice>() -> Self where Value == [Choice] {
        Self(
            notation: "a list of words",
            words: Choice.words,
            texts: { $0.map(\.rawValue) },
            requirable: Choice.allCases.map(\.rawValue)
        ) { fields, key throws(HarnessError) in
            guard let texts = try fields.texts(key) else { return nil }
            var choices: [Choice] = []
            for text in texts { choices.append(try Choice.named(text, in: fields, key)) }
            return choices
        }
    }

    static func wordOrWords<Choice: FieldChoice>() -> Self where Value == [Choice] {
        let list: Self = words()
        return Self(notation: "a word, or a list of words", words: Choice.words) { fields, key throws(HarnessError) in
            var single = fields
            if let text = try? single.text(key) {
                fields = single
                return [try Choice.named(text, in: fields, key)]
            }
            return try list.read(&fields, key)
        }
    }

    static func counts<Choice: FieldChoice & Hashable>() -> Self where Value == [Choice: Int] {
        Self(
            notation: "a list of words, each with a number from 0 to 1000, such as `[busy 6, lost 2]`",
            words: Choice.words
        ) { fields, key throws(HarnessError) in
            guard let texts = try fields.texts(key) else { return nil }
            var counts: [Choice: Int] = [:]
            for text in texts {
                let parts = text.split(separator: " ")
                guard parts.count == 2, let count = Int(parts[1]), (0...1000).contains(count) else {
                    throw fields.error(key, "has \(text), must be a word and a count such as busy 6")
                }
                counts[try Choice.named(String(parts[0]), in: fields, key)] = count
            }
            return counts
        }
    }
}

extension FieldForm where Value == [String] {
    static var texts: Self {
        Self(notation: "a list of texts") { fields, key throws(HarnessError) in try fields.texts(key) }
    }
}

extension FieldForm where Value == Bool {
    static var flag: Self {
        Self(notation: "`true` or `false`", texts: { ["\($0)"] }, requirable: ["true", "false"]) {
            fields,
            key throws(HarnessError) in try fields.flag(key)
        }
    }
}

// MARK: Numbers

extension FieldForm where Value == Int {
    static func integer(in range: ClosedRange<Int>) -> Self {
        Self(notation: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            fields,
            key throws(HarnessError) in
            try fields.integer(key, in: range)
        }
    }
}

extension FieldForm where Value == Int? {
    static var integerOrNever: Self {
        Self(notation: "a whole number from 0 to 1000, or `never`") { fields, key throws(HarnessError) -> Int?? in
            guard try fields.consume("never", at: key) else { return try fields.integer(key, in: 0...1000) }
            return .some(nil)
        }
    }
}

extension FieldForm where Value == Double {
    static var positiveNumber: Self {
        Self(notation: "a number above 0") { fields, key throws(HarnessError) in try fields.positiveNumber(key) }
    }
}

extension FieldForm where Value == Double? {
    static func positiveNumber(or word: String) -> Self {
        Self(notation: "a number above 0, or `\(word)`") { fields, key throws(HarnessError) -> Double?? in
            guard try fields.consume(word, at: key) else { return try fields.positiveNumber(key, or: word) }
            return .some(nil)
        }
    }
}

// MARK: Quantities with units

extension FieldForm where Value == Duration {
    static var duration: Self {
        Self(notation: "a duration") { fields, key throws(HarnessError) in try fields.duration(key) }
    }
}

extension FieldForm where Value == Duration? {
    static var durationOrNever: Self {
        Self(notation: "a duration, or `never`") { fields, key throws(HarnessError) -> Duration?? in
            guard try fields.consume("never", at: key) else { return try fields.duration(key) }
            return .some(nil)
        }
    }
}

extension FieldForm where Value == ReceiveWindow {
    static var receiveWindow: Self {
        Self(notation: "`tuned`, or a size such as `128 KiB`") { fields, key throws(HarnessError) in
            guard let text = try fields.text(key) else { return nil }
            guard let window = ReceiveWindow(text) else {
                throw fields.error(key, "is \(text), must be \(ReceiveWindow.shape)")
            }
            return window
        }
    }
}

extension HarnessFields {
    /// Removes the key and returns true where its text is the word; otherwise leaves it in place.
    fileprivate mutating func consume(_ word: String, at key: String) throws(HarnessError) -> Bool {
        var rest = self
        guard try rest.text(key) == word else { return false }
        self = rest
        return true
    }

    fileprivate mutating func positiveNumber(_ key: String, or word: String? = nil) throws(HarnessError) -> Double? {
        guard let number = try number(key) else { return nil }
        guard number > .zero else {
            throw error(key, "is \(number), must be above 0" + (word.map { ", or \($0)" } ?? ""))
        }
        return number.seconds
    }

    /// Reads a duration such as `500 ms`, `2 s`, or `10 min`.
    fileprivate mutating func duration(_ key: String) throws(HarnessError) -> Duration? {
        guard let text = try text(key) else { return nil }
        let parts = text.split(separator: " ")
        let units: [Substring: Rational] = ["ms": Rational(1, 1000), "s": Rational(1), "min": Rational(60)]
        guard parts.count == 2, let number = Rational(decimal: String(parts[0])), let unit = units[parts[1]],
            number >= .zero, number < Rational(1_000_000)
        else { throw error(key, "is \(text), must be a duration such as 500 ms, 2 s, or 10 min") }
        return Duration(number * unit)
    }
}
