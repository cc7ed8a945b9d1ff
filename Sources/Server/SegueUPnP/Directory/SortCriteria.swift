/// Parsed sort criteria (ContentDirectory:1, section 2.5.8).
package struct SortCriteria: Sendable {
    private var keys: [(property: ContentProperty, isDescending: Bool)] = []

    /// Parses criteria: comma-separated properties, each with `+` or `-` before it.
    ///
    /// Empty criteria keep the order.
    ///
    /// - Throws: ``SOAPFault`` with 709 for a property that is not sortable, and for too many.
    package init(_ text: String) throws(SOAPFault) {
        let words = text.split(separator: ",")
        guard words.count <= ContentProperty.sorted.count else { throw .badSortCriteria }
        for word in words {
            let word = word.filter { !$0.isWhitespace }
            // Some televisions omit the sign.
            let name = word.hasPrefix("+") || word.hasPrefix("-") ? String(word.dropFirst()) : String(word)
            guard let property = ContentProperty(rawValue: name), ContentProperty.sorted.contains(property) else {
                throw .badSortCriteria
            }
            keys.append((property, word.hasPrefix("-")))
        }
    }

    /// The entries in order; the sort is stable.
    package func sorted(_ entries: [ContentEntry]) -> [ContentEntry] {
        if keys.isEmpty { return entries }
        let keyed = entries.enumerated().map { number, entry in
            (number: number, entry: entry, values: keys.map { Value(entry, $0.property) })
        }
        return keyed.sorted { one, other in
            for (index, key) in keys.enumerated() where one.values[index] != other.values[index] {
                return (one.values[index] < other.values[index]) != key.isDescending
            }
            return one.number < other.number
        }.map(\.entry)
    }

    /// A sort key: numbers by value, texts without regard to case, missing values first.
    private struct Value: Comparable {
        let number: Int
        let text: String

        init(_ entry: ContentEntry, _ property: ContentProperty) {
            number = property == .track ? entry.track ?? -1 : 0
            text = property == .track ? "" : entry.value(of: property)?.lowercased() ?? ""
        }

        static func < (one: Value, other: Value) -> Bool { (one.number, one.text) < (other.number, other.text) }
    }
}
