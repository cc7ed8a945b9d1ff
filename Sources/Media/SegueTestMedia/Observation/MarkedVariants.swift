/// The marks of a title's variants, by a part of their playlists' URLs.
package struct MarkedVariants: Sendable, Equatable {
    private let parts: [(mark: Int, part: String)]

    /// No known marks.
    package static let none = MarkedVariants(parts: [])

    private init(parts: [(mark: Int, part: String)]) { self.parts = parts }

    /// Parses marks and URL parts, such as `1=v0/`; nil if a word has another form.
    package init?(_ words: [String]) {
        var parts: [(mark: Int, part: String)] = []
        for word in words {
            guard let sign = word.firstIndex(of: "="), let mark = Int(word[..<sign]), mark > 0 else { return nil }
            let part = String(word[word.index(after: sign)...])
            guard !part.isEmpty else { return nil }
            parts.append((mark, part))
        }
        self.parts = parts
    }

    /// The mark of the variant with a URL; nil unless exactly one part matches.
    func mark(of url: String) -> Int? {
        let found = Set(parts.filter { url.contains($0.part) }.map(\.mark))
        return found.count == 1 ? found.first : nil
    }

    package static func == (one: MarkedVariants, other: MarkedVariants) -> Bool {
        one.parts.elementsEqual(other.parts) { $0 == $1 }
    }
}
