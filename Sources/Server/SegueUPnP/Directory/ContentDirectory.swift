/// The content of a ContentDirectory, unchanged while a call is handled.
package protocol ContentTree {
    /// A number that changes with the tree.
    var updateID: UInt32 { get }

    func entry(_ id: String) -> ContentEntry?

    /// The children of a container in their natural order, or nil if there is no such container.
    func children(of id: String) -> [ContentEntry]?

    /// All entries below a container except references, or nil if there is no such container.
    func descendants(of id: String) -> [ContentEntry]?
}

/// The UPnP service ContentDirectory:1, with which televisions browse a server.
package struct ContentDirectory {
    package static let type = "urn:schemas-upnp-org:service:ContentDirectory:1"

    /// The maximum number of entries in a response; clients request the rest.
    package static let most = 2000

    /// The size of a list in bytes after which no entry is added.
    static let mostBytes = 4 << 20

    private let tree: any ContentTree
    private let details: (ContentEntry) -> ContentDetails

    /// - Parameters:
    ///   - details: Returns the details of an entry; called only for listed entries.
    package init(_ tree: any ContentTree, details: @escaping (ContentEntry) -> ContentDetails) {
        (self.tree, self.details) = (tree, details)
    }

    /// Responds to a call.
    ///
    /// - Throws: ``SOAPFault``.
    package func respond(to call: SOAPCall) throws(SOAPFault) -> SOAPResponse {
        switch call.action {
        case "Browse": return try browse(call)
        case "Search": return try search(call)
        case "GetSearchCapabilities": return SOAPResponse([("SearchCaps", Self.names(ContentProperty.searched))])
        case "GetSortCapabilities": return SOAPResponse([("SortCaps", Self.names(ContentProperty.sorted))])
        case "GetSystemUpdateID": return SOAPResponse([("Id", String(tree.updateID))])
        default: throw .invalidAction
        }
    }

    private static func names(_ properties: [ContentProperty]) -> String {
        properties.map(\.rawValue).joined(separator: ",")
    }

    private func browse(_ call: SOAPCall) throws(SOAPFault) -> SOAPResponse {
        let id = try call.text("ObjectID")
        let page = try Page(call)
        switch try call.text("BrowseFlag") {
        case "BrowseMetadata":
            guard let entry = tree.entry(id) else { throw .noSuchObject }
            return shown([entry], first: 0, count: 1, page.filter)
        case "BrowseDirectChildren":
            guard let children = tree.children(of: id) else { throw .noSuchObject }
            return shown(page.order.sorted(children), first: page.start, count: page.count, page.filter)
        default: throw .invalidArguments
        }
    }

    private func search(_ call: SOAPCall) throws(SOAPFault) -> SOAPResponse {
        let id = try call.text("ContainerID")
        let criteria = try SearchCriteria(try call.text("SearchCriteria"))
        let page = try Page(call)
        guard let entries = tree.descendants(of: id) else { throw .noSuchContainer }
        return shown(
            page.order.sorted(entries.filter(criteria.matches)),
            first: page.start,
            count: page.count,
            page.filter
        )
    }

    private func shown(_ entries: [ContentEntry], first: Int, count: Int, _ filter: ContentFilter) -> SOAPResponse {
        var list = DIDLLite(filter)
        var shown = 0
        for entry in entries.dropFirst(first).prefix(count) {
            list.add(entry, details(entry))
            shown += 1
            if list.byteCount >= Self.mostBytes { break }
        }
        return SOAPResponse([
            ("Result", list.xml), ("NumberReturned", String(shown)), ("TotalMatches", String(entries.count)),
            ("UpdateID", String(tree.updateID)),
        ])
    }

    /// The requested range, order, and properties of a list.
    private struct Page {
        let filter: ContentFilter
        let start: Int
        let count: Int
        let order: SortCriteria

        init(_ call: SOAPCall) throws(SOAPFault) {
            filter = ContentFilter(try call.text("Filter"))
            start = try call.number("StartingIndex")
            let wanted = try call.number("RequestedCount")
            count = wanted == 0 ? ContentDirectory.most : min(wanted, ContentDirectory.most)
            order = try SortCriteria(try call.text("SortCriteria"))
        }
    }
}
