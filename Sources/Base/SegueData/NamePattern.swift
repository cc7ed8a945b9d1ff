/// A pattern for file names and titles: `*` matches any text, including slashes, and `?` any one character.
package struct NamePattern: Sendable, Hashable {
    package let text: String

    private let signs: [Character]

    package init(_ text: String) {
        self.text = text
        signs = Array(text)
    }

    /// Returns whether the pattern matches a whole name.
    package func matches(_ name: String) -> Bool {
        let letters = Array(name)
        var (sign, letter) = (0, 0)
        // The position of the last star and of the text that it has consumed. Only the last star needs backtracking,
        // which bounds the time by the product of the lengths.
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
