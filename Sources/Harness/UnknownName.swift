/// A name that is not one of those there are, with the nearest right one.
package struct UnknownName: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name that was given.
    package let name: String

    /// The names there are, in order.
    package let known: [String]

    /// A name that is not among the known ones.
    package init(_ name: String, among known: [String]) {
        self.name = name
        self.known = known.sorted()
    }

    /// The known name that is most like it; nil when none is near.
    package var nearest: String? {
        let scored = known.map { (distance: UnknownName.distance(name.lowercased(), $0.lowercased()), name: $0) }
        guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(2, name.count / 3) ? best.name : nil
    }

    package var description: String {
        let hint = nearest.map { "did you mean \($0)? " } ?? ""
        return "\(name) is unknown; \(hint)known are \(known.joined(separator: ", "))"
    }

    /// How many letters must be added, dropped or changed to make one word of the other (Levenshtein).
    static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a), Array(b))
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let cost = min(diagonal + (letter == other ? 0 : 1), row[j] + 1, row[j + 1] + 1)
                diagonal = row[j + 1]
                row[j + 1] = cost
            }
        }
        return row[b.count]
    }
}
