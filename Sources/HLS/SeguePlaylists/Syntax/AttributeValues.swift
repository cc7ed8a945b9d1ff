/// The values of an attribute list by name, in order.
///
/// Short lists are searched linearly, since a table for each line would dominate the cost. Long ones use a table.
package struct AttributeValues: Sendable {
    /// A value with its form.
    package struct Value: Sendable {
        /// The text without quotes.
        package let text: String
        /// True if the value is quoted.
        package let isQuoted: Bool

        package init(text: String, isQuoted: Bool) { (self.text, self.isQuoted) = (text, isQuoted) }
    }

    /// The count from which names are found in the table.
    private static let many = 24

    /// All values; names may be repeated.
    package private(set) var all: [(name: String, value: Value)] = []

    private var places: [String: Int] = [:]

    package init() {}

    /// Appends a value; returns false if the name is repeated.
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

    /// Returns the first value of a name; nil if it is absent.
    package subscript(_ name: String) -> Value? { place(of: name).map { all[$0].value } }

    private func place(of name: String) -> Int? {
        if all.count >= Self.many { return places[name] }
        for place in all.indices where all[place].name == name { return place }
        return nil
    }
}
