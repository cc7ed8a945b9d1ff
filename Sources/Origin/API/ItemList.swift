import Foundation

/// Which items of the library are asked for.
struct ItemListQuery {
    /// The words that must occur in title, artist, album or path; all of them.
    var words: [String]
    /// The folder that items lie in or below; nil for all.
    var folder: String?
    /// How many are left out at the beginning.
    var offset: Int
    /// How many are shown at most.
    var limit: Int
    /// How long to wait for items that have not been looked into, in seconds.
    var wait: Int

    /// Reads a query.
    ///
    /// - Throws: ``OriginFailure`` with 400 naming the parameter.
    init(_ query: Query, limit: Int, wait: Int) throws(OriginFailure) {
        words = Self.folded(try query.text("q") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        folder = try query.text("folder").map { String($0.drop { $0 == "/" }) }
        while folder?.last == "/" { folder?.removeLast() }
        offset = try query.integer("offset", in: 0...10_000_000) ?? 0
        self.limit = try query.integer("limit", in: 1...10_000) ?? limit
        self.wait = try query.integer("wait", in: 0...30) ?? wait
    }

    /// Whether an item is asked for.
    func matches(_ item: LibraryItem, _ knowledge: Catalogue.Knowledge) -> Bool {
        if let folder, !folder.isEmpty, item.folder != folder, !item.folder.hasPrefix(folder + "/") { return false }
        if words.isEmpty { return true }
        var text = item.path
        if case .known(let facts) = knowledge {
            for tag in [facts.title, facts.artist, facts.album] { text += "\n" + (tag ?? "") }
        }
        let folded = Self.folded(text)
        return words.allSatisfy { folded.contains($0) }
    }

    /// The text without case, accents and width, as people search.
    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}

/// Items as `/api/items` shows them.
struct ItemListDocument: Encodable {
    var items: [ItemDocument]
    /// How many items match, those that are not shown included.
    var total: Int
    var offset: Int
    /// How many of the items shown have not been looked into.
    var pending: Int
    var passedOver: [PassedOver]?

    /// Something in the folders that is not served.
    struct PassedOver: Encodable {
        var path: String
        var reason: String
    }
}
