/// The properties that a client requests; some are mandatory (ContentDirectory:1, section 2.5.7).
struct ContentFilter: Sendable, Equatable {
    private var names: Set<Substring>?

    /// Parses a filter: `*` for all, or comma-separated names.
    init(_ text: String) {
        let names = text.split(separator: ",").map { $0.drop { $0 == " " } }.map { $0.prefix { $0 != " " } }
        self.names = names.contains("*") ? nil : Set(names)
    }

    /// Returns true if a property is requested; an element also is if one of its attributes is (`res@size`).
    func wants(_ name: String) -> Bool {
        guard let names else { return true }
        return names.contains(name[...]) || !name.contains("@") && names.contains { $0.hasPrefix(name + "@") }
    }

    func wants(_ attribute: String, of element: String) -> Bool { names?.contains("\(element)@\(attribute)") ?? true }
}
