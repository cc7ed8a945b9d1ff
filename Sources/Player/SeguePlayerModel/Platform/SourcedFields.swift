internal import SegueBase
internal import SegueData

/// A section of a data file each of whose fields says where it is known from: `{ value: …, source: … }`.
struct SourcedFields {
    /// The sources so far, by full key such as `service.latency`.
    private(set) var sources: [String: String] = [:]

    private var fields: HarnessFields
    private let keys: [String]

    /// A section.
    ///
    /// - Parameters:
    ///   - fields: What the file has.
    ///   - keys: Every key that the section has, for telling a misspelled key from a missing one.
    init(_ fields: HarnessFields, keys: [String]) {
        self.fields = fields
        self.keys = keys
    }

    /// Takes out a plain text.
    mutating func text(_ key: String) throws(HarnessError) -> String {
        guard let text = try fields.text(key) else { throw missing(key) }
        return text
    }

    /// Takes out a section inside this one, reads it whole and keeps its sources.
    mutating func section<Value>(
        _ key: String,
        keys: [String],
        _ read: (inout SourcedFields) throws(HarnessError) -> Value
    ) throws(HarnessError) -> Value {
        guard let inside = try fields.fields(key) else { throw missing(key) }
        var section = SourcedFields(inside, keys: keys)
        let value = try read(&section)
        try section.finish()
        sources.merge(section.sources) { first, _ in first }
        return value
    }

    /// Makes sure of something about a field that was read.
    func check(_ isRight: Bool, _ key: String, _ message: String) throws(HarnessError) {
        guard isRight else { throw fields.error(key, message) }
    }

    /// Makes sure that no key is left.
    func finish() throws(HarnessError) { try fields.finish() }

    // MARK: Fields

    /// Takes out a duration.
    mutating func duration(_ key: String) throws(HarnessError) -> Duration {
        try field(key) { fields throws(HarnessError) in try fields.duration("value") }
    }

    /// Takes out a duration, or nil for `never`.
    mutating func limit(_ key: String) throws(HarnessError) -> Duration? {
        try field(key) { fields throws(HarnessError) -> Duration?? in
            var copy = fields
            guard try copy.text("value") == "never" else { return try fields.duration("value") }
            fields = copy
            return .some(nil)
        }
    }

    /// Takes out one of a set of words.
    mutating func word<Choice: RawRepresentable & CaseIterable>(
        _ key: String
    ) throws(HarnessError) -> Choice where Choice.RawValue == String {
        try field(key) { fields throws(HarnessError) in try fields.word("value", of: Choice.self) }
    }

    /// Takes out several of a set of words.
    mutating func words<Choice: RawRepresentable & CaseIterable>(
        _ key: String
    ) throws(HarnessError) -> [Choice] where Choice.RawValue == String {
        try field(key) { fields throws(HarnessError) in
            guard let texts = try fields.texts("value") else { return nil }
            var words: [Choice] = []
            for text in texts {
                guard let word = Choice(rawValue: text) else {
                    let known = Choice.allCases.map(\.rawValue)
                    throw fields.error("value", UnknownName(text, among: known).description)
                }
                words.append(word)
            }
            return words
        }
    }

    /// Takes out a list of words with a count each, such as `[busy 6, lost 2]`.
    mutating func counts<Choice: RawRepresentable & CaseIterable & Hashable>(
        _ key: String
    ) throws(HarnessError) -> [Choice: Int] where Choice.RawValue == String {
        try field(key) { fields throws(HarnessError) in
            guard let texts = try fields.texts("value") else { return nil }
            var counts: [Choice: Int] = [:]
            for text in texts {
                let parts = text.split(separator: " ")
                guard parts.count == 2, let count = Int(parts[1]), (0...1000).contains(count) else {
                    throw fields.error("value", "has \(text), must be a word and a count such as busy 6")
                }
                guard let word = Choice(rawValue: String(parts[0])) else {
                    let known = Choice.allCases.map(\.rawValue)
                    throw fields.error("value", UnknownName(String(parts[0]), among: known).description)
                }
                counts[word] = count
            }
            return counts
        }
    }

    /// Takes out a list of texts.
    mutating func texts(_ key: String) throws(HarnessError) -> [String] {
        try field(key) { fields throws(HarnessError) in try fields.texts("value") }
    }

    /// Takes out yes or no.
    mutating func flag(_ key: String) throws(HarnessError) -> Bool {
        try field(key) { fields throws(HarnessError) in try fields.flag("value") }
    }

    /// Takes out a whole number.
    mutating func integer(_ key: String, in range: ClosedRange<Int>) throws(HarnessError) -> Int {
        try field(key) { fields throws(HarnessError) in try fields.integer("value", in: range) }
    }

    /// Takes out a whole number from 0 to 1000, or nil for `never`.
    mutating func count(_ key: String) throws(HarnessError) -> Int? {
        try field(key) { fields throws(HarnessError) -> Int?? in
            var copy = fields
            guard try copy.text("value") == "never" else { return try fields.integer("value", in: 0...1000) }
            fields = copy
            return .some(nil)
        }
    }

    /// Takes out a receive window such as `tuned` or `128 KiB`.
    mutating func receiveWindow(_ key: String) throws(HarnessError) -> ReceiveWindow {
        try field(key) { fields throws(HarnessError) in
            guard let text = try fields.text("value") else { return nil }
            guard let window = ReceiveWindow(text) else {
                throw fields.error("value", "is \(text), must be \(ReceiveWindow.shape)")
            }
            return window
        }
    }

    /// Takes out a number above zero.
    mutating func factor(_ key: String) throws(HarnessError) -> Double {
        try field(key) { fields throws(HarnessError) in
            guard let number = try fields.number("value") else { return nil }
            guard number > .zero else { throw fields.error("value", "is \(number), must be above 0") }
            return number.seconds
        }
    }

    /// Takes out a number above zero, or nil for a word.
    mutating func factor(_ key: String, orNil word: String) throws(HarnessError) -> Double? {
        try field(key) { fields throws(HarnessError) -> Double?? in
            var copy = fields
            if try copy.text("value") == word {
                fields = copy
                return .some(nil)
            }
            guard let number = try fields.number("value") else { return nil }
            guard number > .zero else { throw fields.error("value", "is \(number), must be above 0, or \(word)") }
            return number.seconds
        }
    }

    private mutating func field<Value>(
        _ key: String,
        _ read: (inout HarnessFields) throws(HarnessError) -> Value?
    ) throws(HarnessError) -> Value {
        guard let pair = try fields.fields(key) else { throw missing(key) }
        var inside = pair
        guard let value = try read(&inside) else { throw pair.missing("value", among: ["value", "source"]) }
        guard let source = try inside.text("source") else { throw pair.missing("source", among: ["value", "source"]) }
        try inside.finish()
        sources[pair.path] = source
        return value
    }

    private func missing(_ key: String) -> HarnessError { fields.missing(key, among: keys) }
}

extension HarnessFields {
    /// Takes out a duration such as `500 ms`, `2 s` or `10 min`.
    fileprivate mutating func duration(_ key: String) throws(HarnessError) -> Duration? {
        guard let text = try text(key) else { return nil }
        let parts = text.split(separator: " ")
        let units: [Substring: Rational] = ["ms": Rational(1, 1000), "s": Rational(1), "min": Rational(60)]
        guard parts.count == 2, let number = Rational(decimal: String(parts[0])), let unit = units[parts[1]],
            number >= .zero, number < Rational(1_000_000)
        else { throw error(key, "is \(text), must be a duration such as 500 ms, 2 s or 10 min") }
        return Duration(number * unit)
    }
}
