/// The sources of the items of a session, and their renditions.
struct ItemSources: Sendable {
    private var sources: [ItemID: (address: ItemAddress, rendition: ItemRendition)] = [:]

    mutating func add(_ item: ItemID, address: ItemAddress, rendition: ItemRendition) {
        sources[item] = (address, rendition)
    }

    func address(of item: ItemID) -> ItemAddress? { sources[item]?.address }

    func rendition(of item: ItemID) -> ItemRendition? { sources[item]?.rendition }

    /// The distinct sources, in order of first use.
    var addresses: [ItemAddress] {
        var addresses: [ItemAddress] = []
        for (_, source) in sources.sorted(by: { $0.key.number < $1.key.number })
        where !addresses.contains(source.address) { addresses.append(source.address) }
        return addresses
    }

    /// Returns whether two items are renditions of one source.
    func isSame(_ one: ItemID, _ other: ItemID) -> Bool {
        guard let one = address(of: one), let other = address(of: other) else { return false }
        return one == other
    }

    /// Returns a number for the source of an item.
    ///
    /// Renditions of one source have the same number.
    func number(of item: ItemID) -> Int {
        guard let address = address(of: item) else { return item.number }
        return sources.filter { $0.value.address == address }.keys.map(\.number).min() ?? item.number
    }
}
