/// Which titles of a list a user may expect to hear, as they choose and as one follows the other.
struct TitleOrder: Sendable {
    /// The titles in their order, each with its addresses; empty where they are not known.
    let titles: [[String]]

    /// Those that may be heard; nil where that cannot be told.
    private var wanted: Set<Int>?

    /// The item that was heard last when that changed: what is heard of it may be what is left of it.
    private var heardThen: String?
    private var heard: String?
    /// The items that were there then and could be taken for what is wanted: what is heard of them is what is left of them.
    private var old: Set<String> = []
    private var addresses: [String: String] = [:]
    private var ready: Set<String> = []

    init(_ titles: [[String]]) { self.titles = titles }

    /// The items that are there.
    var items: Set<String> { Set(addresses.keys) }

    /// The title of an item; nil for one of none.
    func title(of item: String) -> Int? {
        guard !titles.isEmpty, let address = addresses[item] else { return nil }
        return titles.firstIndex { $0.contains(address) }
    }

    /// What an item was made from, which one that is made again has too: its title, or its address where that is of none.
    func source(of item: String) -> String? { title(of: item).map { "title \($0 + 1)" } ?? addresses[item] }

    /// Whether another title follows what was chosen, in a list.
    var hasMore: Bool { wanted?.count == 1 && !(wanted?.contains(titles.count - 1) ?? true) }

    /// Whether it is known what is to be heard.
    var isKnown: Bool { wanted != nil }

    // MARK: What happens

    mutating func insert(_ item: String, _ address: String) { addresses[item] = address }

    mutating func remove(_ item: String) { addresses[item] = nil }

    mutating func isReady(_ item: String) { ready.insert(item) }

    /// Something is heard: where another item begins that may, it is that one.
    mutating func begin(_ item: String) {
        defer { heard = item }
        guard item != heardThen, !old.contains(item) else { return }
        guard let title = title(of: item), wanted?.contains(title) ?? true else { return }
        (wanted, old) = ([title], [])
    }

    mutating func choose(_ index: Int) { want([index]) }

    /// The title behind; behind the last one the first, or nothing more.
    mutating func next() {
        want(wanted.map { Set($0.flatMap { $0 + 1 < titles.count ? [$0 + 1] : [$0, 0] }) })
    }

    /// The title before, or the same from its beginning.
    mutating func previous() {
        want(wanted.map { Set($0.flatMap { [$0, $0 > 0 ? $0 - 1 : titles.count - 1] }) })
    }

    /// A title has come to its end, or has failed: the same again, or the next.
    mutating func pass() {
        guard let wanted else { return forget() }
        // What is queued behind it follows it; what was being left when the user chose is so still.
        heardThen = heard
        self.wanted = Set(wanted.flatMap { [$0, ($0 + 1) % titles.count] })
    }

    /// Nobody can tell any more.
    mutating func forget() { want(nil) }

    private mutating func want(_ titles: Set<Int>?) {
        wanted = self.titles.isEmpty ? nil : titles
        heardThen = heard
        old = items.filter { item in wanted.map { title(of: item).map($0.contains) ?? false } ?? true }
    }

    // MARK: What is wrong

    /// What is heard in place of what was chosen; nil where that is right, or on its way.
    func isWrong(_ item: String) -> (heard: Int, wanted: [Int])? {
        guard let wanted, let title = title(of: item), !wanted.contains(title) else { return nil }
        let isOnItsWay = addresses.keys.contains { other in
            !ready.contains(other) && self.title(of: other).map(wanted.contains) ?? false
        }
        return isOnItsWay ? nil : (title, wanted.sorted())
    }
}
