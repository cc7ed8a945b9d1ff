internal import SegueData

/// A set of words, some of which have further names.
package protocol SpelledChoice: FieldChoice {
    /// The other names of the value, such as those of an earlier interface.
    var spellings: [String] { get }
}

extension FieldForm where Value: SpelledChoice {
    static var spelledWord: Self {
        let words = Value.allCases.map { choice in
            let names = choice.spellings.map { "`\($0)`" }.joined(separator: " or ")
            return FieldWord(word: choice.rawValue, meaning: "\(choice.meaning) \(names) means the same.")
        }
        return Self(notation: "a word", words: words) { fields, key throws(HarnessError) in
            guard let text = try fields.text(key) else { return nil }
            guard let choice = Value.allCases.first(where: { $0.rawValue == text || $0.spellings.contains(text) })
            else { throw fields.error(key, UnknownName(text, among: Value.allCases.map(\.rawValue)).description) }
            return choice
        }
    }
}
