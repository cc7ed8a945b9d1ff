/// Which renditions of what the items of a session are.
struct ItemSources: Sendable {
    private var sources: [ItemID: (address: ItemAddress, rendition: ItemRendition)] = [:]

    /// An item was made from an address.
    mutating func add(_ item: ItemID, _ address: ItemAddress, _ rendition: ItemRendition) {
        sources[item] = (address, rendition)
    }

    /// What an item was made from; nil for an unknown one.
    func address(of item: ItemID) -> ItemAddress? { sources[item]?.address }

    /// What an item was made as; nil for an unknown one.
    func rendition(of item: ItemID) -> ItemRendition? { sources[item]?.rendition }

    /// What items were made from, in order, each once.
    var addresses: [ItemAddress] {
        var addresses: [ItemAddress] = []
        for (_, source) in sources.sorted(by: { $0.key.number < $1.key.number })
        where !addresses.contains(source.address) { addresses.append(source.address) }
        return addresses
    }

    /// Whether two items are renditions of one source.
    func isSame(_ one: ItemID, _ other: ItemID) -> Bool {
        guard let one = address(of: one), let other = address(of: other) else { return false }
        return one == other
    }

    /// A number for the source of an item: items that are renditions of one source have the same.
    func number(of item: ItemID) -> Int {
        guard let address = address(of: item) else { return item.number }
        return sources.filter { $0.value.address == address }.keys.map(\.number).min() ?? item.number
    }
}
