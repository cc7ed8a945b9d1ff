/// Makes the page for browsers of what the library has.
package protocol PageRendering: Sendable {
    /// The page of a list.
    ///
    /// - Parameters:
    ///   - listing: The items to show.
    ///   - host: The `Host` field of the request, which is the client's word.
    /// - Returns: The page.
    func page(of listing: ItemListing, host: String?) -> RenderedPage
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
