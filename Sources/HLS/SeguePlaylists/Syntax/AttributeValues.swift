/// The values of an attribute list by their names, in the order in which they came.
///
/// A list is short as a rule, and as long as somebody pleases: a few are looked through, since a table for each line of a
/// playlist would be most of the work, and many are found by one.
package struct AttributeValues: Sendable {
    /// A value with how it was written.
    package struct Value: Sendable {
        /// What stands there, without its quotes.
        package let text: String
        /// Whether it stands in quotes.
        package let isQuoted: Bool

        /// A value.
        package init(text: String, isQuoted: Bool) { (self.text, self.isQuoted) = (text, isQuoted) }
    }

    /// From this count on, names are found by the table.
    private static let many = 24

    /// All of them; a name may stand several times.
    package private(set) var all: [(name: String, value: Value)] = []

    private var places: [String: Int] = [:]

    /// None.
    package init() {}

    /// Adds a value behind the others; false where its name was there already.
    package mutating func append(_ name: String, _ value: Value) -> Bool {
        let isNew = place(of: name) == nil
        all.append((name, value))
        if all.count == Self.many {
            for place in all.indices.reversed() { places[all[place].name] = place }
        } else if all.count > Self.many, isNew {
            places[name] = all.count - 1
        }
        return isNew
    }

    /// The first value of a name; nil where it has none.
    package subscript(_ name: String) -> Value? { place(of: name).map { all[$0].value } }

    private func place(of name: String) -> Int? {
        if all.count >= Self.many { return places[name] }
        for place in all.indices where all[place].name == name { return place }
        return nil
    }
}
