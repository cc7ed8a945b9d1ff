/// A pattern for names of files and titles: `*` is any text, slashes too, and `?` any one character.
package struct NamePattern: Sendable, Hashable {
    /// The pattern as it is written.
    package let text: String

    private let signs: [Character]

    /// A pattern.
    package init(_ text: String) {
        self.text = text
        signs = Array(text)
    }

    /// Whether a name is one that the pattern means, from its first character to its last.
    package func matches(_ name: String) -> Bool {
        let letters = Array(name)
        var (sign, letter) = (0, 0)
        // Where the last star stands, and from where on what follows it is looked for: of several stars only the last
        // need ever be tried again, so this takes no more than the product of the lengths.
        var star: (sign: Int, letter: Int)?
        while letter < letters.count {
            if sign < signs.count, signs[sign] == "*" {
                star = (sign, letter)
                sign += 1
            } else if sign < signs.count, signs[sign] == "?" || signs[sign] == letters[letter] {
                sign += 1
                letter += 1
            } else if let last = star {
                star = (last.sign, last.letter + 1)
                (sign, letter) = (last.sign + 1, last.letter + 1)
            } else {
                return false
            }
        }
        return signs[sign...].allSatisfy { $0 == "*" }
    }
}
