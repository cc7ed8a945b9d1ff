/// Makes the page for browsers of what the library has, and has the files that the page needs.
package protocol PageRendering: Sendable {
    /// The page of a list.
    ///
    /// - Parameters:
    ///   - listing: The items to show.
    ///   - visit: Who looks at it, and how.
    /// - Returns: The page.
    func page(of listing: ItemListing, for visit: PageVisit) -> RenderedPage

    /// A file that the page needs.
    ///
    /// - Parameters:
    ///   - name: Its path below the page's folder.
    ///   - version: The version that stands in its address, which may be that of another day's page.
    /// - Returns: The file; nil where there is none.
    func file(_ name: String, version: String) -> PageFile?
}

/// Who looks at the page: what their request says, all of it the client's word.
package struct PageVisit: Sendable {
    /// The `Host` field.
    package var host: String?
    /// The language that the address asks for; nil where it asks for none.
    package var language: String?
    /// The languages that the browser is set to (`Accept-Language`).
    package var acceptedLanguages: String?
    /// What the page wrote down at an earlier visit (`Cookie`).
    package var cookies: String?
    /// What the server calls who asks; empty where it knows nothing.
    package var visitorName = ""

    /// A visit; by somebody of whom nothing is known unless told otherwise.
    package init(
        host: String? = nil,
        language: String? = nil,
        acceptedLanguages: String? = nil,
        cookies: String? = nil,
        visitorName: String = ""
    ) {
        (self.host, self.language, self.acceptedLanguages) = (host, language, acceptedLanguages)
        (self.cookies, self.visitorName) = (cookies, visitorName)
    }
}

/// The items that a page shows, and what was asked for.
package struct ItemListing: Sendable {
    /// The items shown.
    package var items: [ItemDocument]
    /// How many items match.
    package var total: Int
    /// How many the library has.
    package var libraryCount: Int
    /// How many of those that match come before the first one shown.
    package var offset: Int
    /// How many are shown at most.
    package var limit: Int
    /// The folder that they lie in or below; nil for all.
    package var folder: String?
    /// The text that was searched for, as it was typed.
    package var searchText: String
}

/// A page in HTML, and what it may do.
package struct RenderedPage: Sendable {
    /// The page.
    package var html: String
    /// What it may do, as the value of `Content-Security-Policy`.
    package var securityPolicy: String

    /// A page.
    package init(html: String, securityPolicy: String) { (self.html, self.securityPolicy) = (html, securityPolicy) }
}

/// A file that the page needs.
package struct PageFile: Sendable, Equatable {
    /// The bytes.
    package var bytes: [UInt8]
    /// What they are, as the value of `Content-Type`.
    package var contentType: String
    /// Whether these are the bytes for ever under the address that was asked for.
    package var isCurrent: Bool

    /// A file.
    package init(bytes: [UInt8], contentType: String, isCurrent: Bool) {
        (self.bytes, self.contentType, self.isCurrent) = (bytes, contentType, isCurrent)
    }
}
