/// Which items of the library are asked for, and how many of them.
struct ItemListQuery {
    /// Which items.
    var filter: ItemFilter
    /// In which order.
    var order: ItemOrder
    /// How many are left out at the beginning.
    var offset: Int
    /// How many are shown at most.
    var limit: Int
    /// How long to wait for items that have not been looked into, in seconds.
    var wait: Int

    /// The folder that items lie in or below; nil for all.
    var folder: String? { filter.folder }

    /// Reads a query.
    ///
    /// - Throws: ``OriginFailure`` with 400 naming the parameter.
    init(_ query: Query, limit: Int, wait: Int) throws(OriginFailure) {
        filter = try ItemFilter(query)
        let belongTogether = filter.album != nil || filter.artist != nil || filter.series != nil
        order = try ItemOrder(query, or: belongTogether ? .shelf : .library)
        offset = try query.integer("offset", in: 0...10_000_000) ?? 0
        self.limit = try query.integer("limit", in: 1...10_000) ?? limit
        self.wait = try query.integer("wait", in: 0...30) ?? wait
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
