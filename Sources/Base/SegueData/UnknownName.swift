/// An unknown name, with suggestions.
package struct UnknownName: Error, Sendable, Equatable, CustomStringConvertible {
    package let name: String

    /// The known names, in order.
    package let known: [String]

    package init(_ name: String, among known: [String]) {
        self.name = name
        self.known = Set(known).sorted()
    }

    /// The known names that may be meant, in order; empty if none is similar.
    ///
    /// A part of names, such as `ios` or `gprs`, suggests all of them; a misspelling suggests the nearest one; and a
    /// version that is not known, such as `ios-18`, suggests the last one before it and the first one after it.
    package var nearest: [String] {
        let given = NameWords(name)
        let words = known.map(NameWords.init)
        if let version = given.version, !words.contains(where: { $0.letters == given.letters }) {
            let others = words.filter { $0.version != nil && $0.parts[0] == given.parts[0] }
                .sorted { $0.isEarlier(than: $1) }
            let before = others.last { $0.isEarlier(than: given) || $0.version == version }
            let after = others.first { given.isEarlier(than: $0) }
            if before != nil || after != nil { return [before, after].compactMap { $0?.text } }
        }
        let likenesses: [(NameWords) -> Bool] = [
            { $0.letters == given.letters }, { $0.parts.contains(given.letters) }, { given.isNear($0.letters) },
            { $0.letters.starts(with: given.letters) && given.letters.count > 1 },
            { given.isLongerForm(of: $0) }, { $0.parts.contains { given.isNear($0) } },
        ]
        for (rank, likeness) in likenesses.enumerated() {
            let found = words.filter(likeness)
            guard let first = found.min(by: { given.distance($0.letters) < given.distance($1.letters) }) else {
                continue
            }
            return rank == 2 ? [first.text] : found.map(\.text)
        }
        return []
    }

    /// The suggestions and the known names.
    package var advice: String {
        let names = known.joined(separator: ", ")
        return switch nearest.count {
        case 0 where known.isEmpty: "no name is known"
        case 0: "expected one of \(names)"
        case 1: "did you mean \(nearest[0])? Expected one of \(names)"
        default: "did you mean one of \(nearest.joined(separator: ", "))? Expected one of \(names)"
        }
    }

    package var description: String { "\(name) is unknown; \(advice)" }
}

/// A name split into parts, for comparisons.
private struct NameWords {
    let text: String
    let letters: [Character]
    /// The parts between hyphens.
    let parts: [[Character]]

    init(_ text: String) {
        self.text = text
        letters = Array(text.lowercased())
        parts = letters.split(separator: "-").map(Array.init)
    }

    /// The numbers of the version of a name such as `ios-4.3` or `ios-3.2-ipad`; nil for another name.
    var version: [Int]? {
        guard parts.count > 1 else { return nil }
        let numbers = String(parts[1]).split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
    }

    func isEarlier(than other: NameWords) -> Bool {
        (version ?? []).lexicographicallyPrecedes(other.version ?? [])
    }

    /// Returns whether another word is a misspelling of this one.
    func isNear(_ other: [Character]) -> Bool {
        let most = letters.count < 3 ? letters.count / 2 : max(2, letters.count / 3)
        return abs(letters.count - other.count) <= most && distance(other) <= most
    }

    /// Returns whether this name is another one with additional parts.
    func isLongerForm(of other: NameWords) -> Bool {
        parts.count > other.parts.count && parts.starts(with: other.parts)
    }

    /// The Levenshtein distance.
    func distance(_ other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (i, letter) in letters.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, theirs) in other.enumerated() {
                let cost = min(diagonal + (letter == theirs ? 0 : 1), row[j] + 1, row[j + 1] + 1)
                diagonal = row[j + 1]
                row[j + 1] = cost
            }
        }
        return row[other.count]
    }
}
