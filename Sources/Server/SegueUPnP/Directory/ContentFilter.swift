/// Which properties a client wants to see of entries; some are always there (ContentDirectory:1, section 2.5.7).
struct ContentFilter: Sendable, Equatable {
    private var names: Set<Substring>?

    /// Reads a filter: `*` for all, or names between commas.
    init(_ text: String) {
        let names = text.split(separator: ",").map { $0.drop { $0 == " " } }.map { $0.prefix { $0 != " " } }
        self.names = names.contains("*") ? nil : Set(names)
    }

    /// Whether a property is wanted; an element is, too, where one of its attributes is named (`res@size`).
    func wants(_ name: String) -> Bool {
        guard let names else { return true }
        return names.contains(name[...]) || !name.contains("@") && names.contains { $0.hasPrefix(name + "@") }
    }

    /// Whether an attribute of an element is wanted.
    func wants(_ attribute: String, of element: String) -> Bool { names?.contains("\(element)@\(attribute)") ?? true }
}
