/// Names with how often each came, in the order in which they came first.
package struct NameTally: Sendable, Equatable {
    /// The names.
    package private(set) var names: [String] = []
    /// How often each came.
    package private(set) var counts: [Int] = []
    private var places: [String: Int] = [:]

    /// No names.
    package init() {}

    /// Names, each as often as it is there.
    package init(_ names: some Sequence<String>) { for name in names { add(name) } }

    /// Adds a name.
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

    /// How many different names there are.
    package var count: Int { names.count }

    /// The names where they are few, else two of them and how many more, with a noun for what they are.
    package func words(_ noun: String) -> String {
        guard names.count > 3 else { return names.joined(separator: ", ") }
        return names.prefix(2).joined(separator: ", ") + " and \(names.count - 2) more \(noun)"
    }
}
