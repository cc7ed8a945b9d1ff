/// The titles of a list that the user may expect, according to choices and the order of the list.
struct TitleOrder: Sendable {
    /// The titles in order, each with its URLs; empty if they are not known.
    let titles: [[String]]

    /// The expected titles; nil if unknown.
    private var wanted: Set<Int>?

    /// The item that was last heard when the expectation changed, whose rest may still be heard.
    private var heardThen: String?
    private var heard: String?
    /// The items present at that time that match the expectation, whose rest may still be heard.
    private var old: Set<String> = []
    private var addresses: [String: String] = [:]
    private var ready: Set<String> = []

    /// True if the next title must follow one that has ended, false if nothing may; nil leaves it to the app.
    private let advances: Bool?
    /// The title that has ended, since which the user has done nothing.
    private var ended: Int?
    /// True if the app has played the next title after the end of one.
    private(set) var hasAdvanced = false
    /// The title that the app has repeated after its end, since the user's last action.
    private var repeated: Int?

    init(_ titles: [[String]], advances: Bool? = nil) { (self.titles, self.advances) = (titles, advances) }

    /// The items in the queue.
    var items: Set<String> { Set(addresses.keys) }

    func title(of item: String) -> Int? {
        guard !titles.isEmpty, let address = addresses[item] else { return nil }
        return titles.firstIndex { $0.contains(address) }
    }

    /// Returns the source of an item, which a recreated item shares: its title, or its URL without one.
    func source(of item: String) -> String? { title(of: item).map { "title \($0 + 1)" } ?? addresses[item] }

    /// True if the app must play another title when the present one has ended: an app may play single titles, until it
    /// has gone on to the next one by itself.
    var mustFollow: Bool { hasMore && (advances ?? hasAdvanced) }

    /// True if another title follows the chosen one in the list.
    var hasMore: Bool { wanted?.count == 1 && !(wanted?.contains(titles.count - 1) ?? true) }

    /// True if the expectation is known.
    var isKnown: Bool { wanted != nil }

    // MARK: Events

    /// Handles an action of the user, after which nothing follows by itself.
    mutating func act() { (ended, repeated) = (nil, nil) }

    mutating func insert(_ item: String, _ address: String) { addresses[item] = address }

    mutating func remove(_ item: String) { addresses[item] = nil }

    mutating func isReady(_ item: String) { ready.insert(item) }

    /// Handles audible playback.
    ///
    /// A new item that matches the expectation becomes the current title.
    ///
    /// - Returns: A description of a violation.
    mutating func begin(_ item: String) -> String? {
        defer { heard = item }
        guard item != heardThen, !old.contains(item) else { return nil }
        guard let title = title(of: item), wanted?.contains(title) ?? true else { return nil }
        (wanted, old) = ([title], [])
        return follow(title)
    }

    /// Handles a title that follows the end of another one without an action of the user.
    ///
    /// An app repeats its titles or plays them in order, and changes that only at the user's request.
    private mutating func follow(_ title: Int) -> String? {
        guard let ended, titles.count > 1 else { return nil }
        self.ended = nil
        if title == ended {
            defer { repeated = title }
            guard hasAdvanced, repeated == nil else { return nil }
            return "title \(title + 1) of the list plays again after its end, expected title \(next(after: title) + 1)"
        }
        guard title == next(after: ended) else { return nil }
        defer { (hasAdvanced, repeated) = (true, nil) }
        guard let repeated else { return nil }
        return "title \(repeated + 1) of the list was played twice before title \(title + 1)"
    }

    private func next(after title: Int) -> Int { (title + 1) % titles.count }

    mutating func choose(_ index: Int) { want([index]) }

    /// Expects the next title, or after the last one the first, or none.
    mutating func next() {
        want(wanted.map { Set($0.flatMap { $0 + 1 < titles.count ? [$0 + 1] : [$0, 0] }) })
    }

    /// Expects the previous title, or the current one from its beginning.
    mutating func previous() {
        want(wanted.map { Set($0.flatMap { [$0, $0 > 0 ? $0 - 1 : titles.count - 1] }) })
    }

    /// Handles the end or failure of a title: it may repeat, or the next one may follow.
    mutating func pass(isEnd: Bool) {
        ended = isEnd && wanted?.count == 1 ? wanted?.first : nil
        guard let wanted else { return forget() }
        // The next item in the queue follows it. An item that was being left when the user chose is still being left.
        heardThen = heard
        self.wanted = Set(wanted.flatMap { [$0, ($0 + 1) % titles.count] })
    }

    /// Clears the expectation.
    mutating func forget() { want(nil) }

    private mutating func want(_ titles: Set<Int>?) {
        (ended, repeated) = (nil, nil)
        wanted = self.titles.isEmpty ? nil : titles
        heardThen = heard
        old = items.filter { item in wanted.map { title(of: item).map($0.contains) ?? false } ?? true }
    }

    // MARK: Violations

    /// Returns the title that is heard instead of the expected ones; nil if it is right, or on its way.
    func isWrong(_ item: String) -> (heard: Int, wanted: [Int])? {
        guard let wanted, let title = title(of: item), !wanted.contains(title) else { return nil }
        let isOnItsWay = addresses.keys.contains { other in
            !ready.contains(other) && self.title(of: other).map(wanted.contains) ?? false
        }
        return isOnItsWay ? nil : (title, wanted.sorted())
    }
}
