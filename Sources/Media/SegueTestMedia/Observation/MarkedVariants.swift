/// Which variant of a title has which mark: told by a part of its playlist's URL.
package struct MarkedVariants: Sendable, Equatable {
    private let parts: [(mark: Int, part: String)]

    /// No variant has a mark that is known.
    package static let none = MarkedVariants(parts: [])

    private init(parts: [(mark: Int, part: String)]) { self.parts = parts }

    /// Marks and parts of URLs, such as `1=v0/`; nil where one of the words is not such.
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

    /// The mark of the variant with a URL; nil where no part, or more than one, is in it.
    func mark(of url: String) -> Int? {
        let found = Set(parts.filter { url.contains($0.part) }.map(\.mark))
        return found.count == 1 ? found.first : nil
    }

    package static func == (one: MarkedVariants, other: MarkedVariants) -> Bool {
        one.parts.elementsEqual(other.parts) { $0 == $1 }
    }
}
