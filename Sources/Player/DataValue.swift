internal import Yams

/// One value in a data file, with where it stands.
struct DataValue {
    private let file: String
    private let key: String
    private let line: Int?
    private let node: Node

    init(file: String, key: String, line: Int?, node: Node) throws(DataFileError) {
        self.file = file
        self.key = key
        self.line = node.mark?.line ?? line
        self.node = node
    }

    /// Text.
    func text() throws(DataFileError) -> String {
        guard let scalar = node.scalar else { throw error("must be text") }
        return scalar.string
    }

    /// `true` or `false`.
    func flag() throws(DataFileError) -> Bool {
        guard let flag = node.scalar.flatMap({ Bool($0.string) }) else { throw error("must be true or false") }
        return flag
    }

    /// A whole number, not negative.
    func count() throws(DataFileError) -> Int {
        guard let number = node.scalar.flatMap({ Int($0.string) }), number >= 0 else {
            throw error("must be a whole number, 0 or more")
        }
        return number
    }

    /// A number above zero.
    func factor() throws(DataFileError) -> Double {
        guard let number = node.scalar.flatMap({ Double($0.string) }), number > 0, number.isFinite else {
            throw error("must be a number above 0")
        }
        return number
    }

    /// A duration such as `500 ms`, `2 s` or `10 min`.
    func duration() throws(DataFileError) -> Duration {
        let parts = (node.scalar?.string ?? "").split(separator: " ")
        let units: [Substring: Double] = ["ms": 0.001, "s": 1, "min": 60]
        guard parts.count == 2, let number = Double(parts[0]), number >= 0, number < 1e6, let unit = units[parts[1]]
        else {
            throw error("must be a duration such as 500 ms, 2 s or 10 min")
        }
        return .nanoseconds(Int64((number * unit * 1e9).rounded()))
    }

    /// A duration, or nil for `never`.
    func durationOrNever() throws(DataFileError) -> Duration? {
        if node.scalar?.string == "never" { return nil }
        return try duration()
    }

    /// One of the words that a type has.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type
    ) throws(DataFileError) -> Choice where Choice.RawValue == String {
        let word = try text()
        if let choice = Choice(rawValue: word) { return choice }
        let words = Choice.allCases.map(\.rawValue)
        let hint = NearestName.of(word, among: words).map { "; did you mean \($0)?" } ?? ""
        throw error("\"\(word)\" is not one of \(words.joined(separator: ", "))\(hint)")
    }

    /// A list of values.
    func list() throws(DataFileError) -> [DataValue] {
        guard let sequence = node.sequence else { throw error("must be a list") }
        var values: [DataValue] = []
        for item in sequence { values.append(try DataValue(file: file, key: key, line: line, node: item)) }
        return values
    }

    private func error(_ reason: String) -> DataFileError {
        DataFileError(file: file, line: line, key: key, reason: reason)
    }
}

/// Finds what a misspelled name was meant to be.
package enum NearestName {
    /// The name most like `word`; the earliest of several, nil when there is none.
    package static func of(_ word: String, among names: [String]) -> String? {
        names.min { distance(word, $0) < distance(word, $1) }
    }

    /// How many characters must be put in, left out or replaced to make one word the other (Levenshtein).
    static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (character == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
