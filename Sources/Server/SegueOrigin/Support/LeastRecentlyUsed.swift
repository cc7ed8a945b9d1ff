internal import HeapModule

/// A cache bounded by the total cost of its values, with least-recently-used eviction.
package struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var cost: Int
        var lastUse: UInt64
    }

    /// A value's last use; outdated if the value has been used again or is gone.
    private struct Use: Comparable {
        var number: UInt64
        var key: Key

        static func < (a: Use, b: Use) -> Bool { a.number < b.number }

        static func == (a: Use, b: Use) -> Bool { a.number == b.number }
    }

    private var entries: [Key: Entry] = [:]
    private var order = Heap<Use>()
    private var uses: UInt64 = 0

    /// The maximum total cost.
    let limit: Int

    /// The total cost.
    private(set) var cost = 0

    package init(limit: Int) { self.limit = limit }

    /// The number of values.
    var count: Int { entries.count }

    /// Returns true if there is a value for a key; does not count as a use.
    package func holds(_ key: Key) -> Bool { entries[key] != nil }

    /// Returns the value for a key; counts as a use.
    package mutating func value(for key: Key) -> Value? {
        guard let value = entries[key]?.value else { return nil }
        uses += 1
        entries[key]?.lastUse = uses
        note(Use(number: uses, key: key))
        return value
    }

    /// Stores a value and evicts others until the limit holds; a value above the limit is not stored.
    ///
    /// - Parameters:
    ///   - future: The number of uses of the cache until the value's first use is expected; until then it is not
    ///     evicted before values used in the meantime.
    /// - Returns: The evicted keys, including this one if its value is not stored.
    @discardableResult
    package mutating func insert(_ value: Value, for key: Key, cost: Int, usedIn future: UInt64 = 0) -> [Key] {
        remove(key)
        guard cost <= limit else { return [key] }
        uses += 1
        let use = uses + future
        var gone: [Key] = []
        while self.cost + cost > limit, let oldest = leastRecent() {
            guard oldest.number < use else { return gone + [key] }
            remove(oldest.key)
            gone.append(oldest.key)
        }
        entries[key] = Entry(value: value, cost: cost, lastUse: use)
        note(Use(number: use, key: key))
        self.cost += cost
        return gone
    }

    /// Evicts the least recently used values down to a total cost.
    ///
    /// - Returns: The evicted keys.
    @discardableResult
    mutating func shrink(to limit: Int) -> [Key] {
        var gone: [Key] = []
        while cost > limit, let oldest = leastRecent() {
            remove(oldest.key)
            gone.append(oldest.key)
        }
        return gone
    }

    package mutating func remove(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { cost -= entry.cost }
    }

    /// Returns the use after which no value has been left unused for longer.
    private mutating func leastRecent() -> Use? {
        while let use = order.min {
            if isLast(use) { return use }
            order.removeMin()
        }
        return nil
    }

    private mutating func note(_ use: Use) {
        if order.count > 2 * entries.count + 16 { order = Heap(order.unordered.filter(isLast)) }
        order.insert(use)
    }

    private func isLast(_ use: Use) -> Bool { entries[use.key]?.lastUse == use.number }
}
