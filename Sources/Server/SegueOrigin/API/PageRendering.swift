/// The page for browsers and its files.
package protocol PageRendering: Sendable {
    func page(of listing: ItemListing, for visit: PageVisit) -> RenderedPage

    /// Returns a file of the page.
    ///
    /// - Parameters:
    ///   - name: Its path below the page's folder.
    ///   - version: The version in its address, possibly of an older page.
    /// - Returns: The file, or nil if there is none.
    func file(_ name: String, version: String) -> PageFile?
}

/// The header fields and parameters of a page request; all of them are the client's claims.
package struct PageVisit: Sendable {
    package var host: String?
    /// The requested language; nil for none.
    package var language: String?
    /// The languages of the browser (`Accept-Language`).
    package var acceptedLanguages: String?
    /// The cookies of earlier visits.
    package var cookies: String?
    /// The visitor's name; empty if it is unknown.
    package var visitorName = ""

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

/// A page of items and the search that produced it.
package struct ItemListing: Sendable {
    package var items: [ItemDocument]
    /// The total number of matching items.
    package var total: Int
    /// The number of items in the library.
    package var libraryCount: Int
    /// The number of matching items before the first one on the page.
    package var offset: Int
    /// The maximum number of items on the page.
    package var limit: Int
    /// The folder of the items, subfolders included; nil for all.
    package var folder: String?
    /// The search text as typed.
    package var searchText: String
}

/// A page in HTML with its permissions.
package struct RenderedPage: Sendable {
    package var html: String
    /// The value of `Content-Security-Policy`.
    package var securityPolicy: String

    package init(html: String, securityPolicy: String) { (self.html, self.securityPolicy) = (html, securityPolicy) }
}

package struct PageFile: Sendable, Equatable {
    package var bytes: [UInt8]
    package var contentType: String
    /// True if the requested version is the current one.
    package var isCurrent: Bool

    package init(bytes: [UInt8], contentType: String, isCurrent: Bool) {
        (self.bytes, self.contentType, self.isCurrent) = (bytes, contentType, isCurrent)
    }
}
