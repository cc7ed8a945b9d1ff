struct ItemListQuery {
    var filter: ItemFilter
    var order: ItemOrder
    /// The number of items to skip.
    var offset: Int
    /// The maximum number of items.
    var limit: Int
    /// The maximum time to wait for scans, in seconds.
    var wait: Int

    /// The folder of the items, subfolders included; nil for all.
    var folder: String? { filter.folder }

    /// Parses a query.
    ///
    /// - Throws: ``OriginFailure`` with 400 that names the parameter.
    init(_ query: Query, limit: Int, wait: Int) throws(OriginFailure) {
        filter = try ItemFilter(query)
        let belongTogether = filter.album != nil || filter.artist != nil || filter.series != nil
        order = try ItemOrder(query, or: belongTogether ? .shelf : .library)
        offset = try query.integer("offset", in: 0...10_000_000) ?? 0
        self.limit = try query.integer("limit", in: 1...10_000) ?? limit
        self.wait = try query.integer("wait", in: 0...30) ?? wait
    }
}

/// The response of `/api/items`.
struct ItemListDocument: Encodable {
    var items: [ItemDocument]
    /// The total number of matching items, before paging.
    var total: Int
    var offset: Int
    /// The number of items on the page that are not scanned yet.
    var pending: Int
    var passedOver: [PassedOver]?

    /// A file or folder that is not served.
    struct PassedOver: Encodable {
        var path: String
        var reason: String
    }
}
