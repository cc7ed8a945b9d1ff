/// A dictionary with a limit on the sum of its values' costs; what was used longest ago goes first.
package struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var cost: Int
        var lastUse: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0

    /// The greatest sum of costs.
    let limit: Int

    /// The sum of the costs of what is held.
    private(set) var cost = 0

    /// An empty cache.
    package init(limit: Int) { self.limit = limit }

    /// How many values are held.
    var count: Int { entries.count }

    /// Whether there is a value for a key; asking is no use.
    package func holds(_ key: Key) -> Bool { entries[key] != nil }

    /// The value for a key, which counts as a use.
    package mutating func value(for key: Key) -> Value? {
        guard entries[key] != nil else { return nil }
        uses += 1
        entries[key]?.lastUse = uses
        return entries[key]?.value
    }

    /// Keeps a value, and lets go of others until the limit holds; one that costs more than the limit is not kept.
    ///
    /// - Parameters:
    ///   - value: What to keep.
    ///   - key: Its key.
    ///   - cost: What it takes of the limit.
    ///   - future: After how many more uses of the cache it will be used for the first time: until then it does not go
    ///     before what is used meanwhile.
    /// - Returns: The keys of what was let go of, among them this one where its value is not kept.
    @discardableResult
    package mutating func insert(_ value: Value, for key: Key, cost: Int, usedIn future: UInt64 = 0) -> [Key] {
        remove(key)
        guard cost <= limit else { return [key] }
        uses += 1
        let use = uses + future
        var gone: [Key] = []
        while self.cost + cost > limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard oldest.value.lastUse < use else { return gone + [key] }
            remove(oldest.key)
            gone.append(oldest.key)
        }
        entries[key] = Entry(value: value, cost: cost, lastUse: use)
        self.cost += cost
        return gone
    }

    /// Lets go of what was used longest ago until what is left costs no more than so much.
    ///
    /// - Returns: The keys of what was let go of.
    @discardableResult
    mutating func shrink(to limit: Int) -> [Key] {
        var gone: [Key] = []
        while cost > limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            remove(oldest.key)
            gone.append(oldest.key)
        }
        return gone
    }

    /// Lets go of a value.
    package mutating func remove(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { cost -= entry.cost }
    }
}
