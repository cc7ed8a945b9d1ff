/// Names and their counts, in the order of first occurrence.
package struct NameCounts: Sendable, Equatable {
    package private(set) var names: [String] = []
    package private(set) var counts: [Int] = []
    private var places: [String: Int] = [:]

    package init() {}

    package init(_ names: some Sequence<String>) { for name in names { add(name) } }

    @discardableResult
    package mutating func add(_ name: String) -> Int {
        if let place = places[name] {
            counts[place] += 1
            return place
        }
        places[name] = names.count
        names.append(name)
        counts.append(1)
        return names.count - 1
    }

    /// The number of distinct names.
    package var count: Int { names.count }

    /// All names if they are few, otherwise two of them and the number of the others.
    package func words(_ noun: String) -> String {
        guard names.count > 3 else { return names.joined(separator: ", ") }
        return names.prefix(2).joined(separator: ", ") + " and \(names.count - 2) more \(noun)"
    }
}
