import Foundation
import Media
import Mustache
import Notation
package import Origin

/// The web page with a list of items.
package struct WebPage: PageRendering {
    private let localAddresses: @Sendable () -> [String]

    /// A page that tells other devices where the server is.
    ///
    /// - Parameter localAddresses: This machine's addresses in the network.
    package init(localAddresses: @escaping @Sendable () -> [String]) { self.localAddresses = localAddresses }

    /// The page of a list, with the address to type on another device.
    package func page(of listing: ItemListing, host: String?) -> RenderedPage {
        let address = PageAddress.best(host: host, localAddresses: localAddresses)
        return RenderedPage(html: Page(listing: listing, address: address).html, securityPolicy: Page.securityPolicy)
    }
}

/// What the page shows.
private struct Page {
    /// The items, and what was asked for.
    var listing: ItemListing
    /// The address to type on another device; nil where none is known.
    var address: String?

    /// The page in HTML.
    var html: String {
        guard let template = Self.template else { return "" }
        return template.render(model)
    }

    /// What the page may do: run this script and no other, load from this server and nowhere else.
    static let securityPolicy =
        "default-src 'none'; script-src '\(scriptHash)'; style-src 'unsafe-inline'; img-src 'self' data:; "
        + "media-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// Parsed once; nil only if the template were malformed, which a test would see.
    private static let template = try? MustacheTemplate(string: PageTemplate.text)

    private static var scriptHash: String {
        let digits = Array(Checksum.sha256(Array(PageScript.text.utf8)).utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
        }
        return "sha256-\(Data(bytes).base64EncodedString())"
    }

    private var model: [String: Any] {
        let (items, end) = (listing.items, listing.offset + listing.items.count)
        var model: [String: Any] = [
            "style": PageStyle.text, "script": PageScript.text, "q": listing.searchText,
            "libraryCount": listing.libraryCount, "items": items.map(Self.row),
            "pending": items.count { $0.state == .pending }, "hasPages": listing.total > items.count,
            "range": "\(listing.offset + 1)–\(end) of \(listing.total)",
        ]
        model["address"] = address
        if let folder = listing.folder, !folder.isEmpty { model["folder"] = folder }
        if items.isEmpty {
            model["empty"] = listing.libraryCount == 0 ? "There are no media files in this folder." : "Nothing matches."
        }
        if listing.offset > 0 { model["previous"] = link(offset: max(0, listing.offset - listing.limit)) }
        if end < listing.total, !items.isEmpty { model["next"] = link(offset: listing.offset + listing.limit) }
        return model
    }

    private func link(offset: Int) -> String {
        var parts = ["offset=\(offset)"]
        if !listing.searchText.isEmpty { parts.append("q=\(PercentCoding.encode(listing.searchText))") }
        if let folder = listing.folder, !folder.isEmpty { parts.append("folder=\(PercentCoding.encode(folder))") }
        return "/?" + parts.joined(separator: "&")
    }

    private static func row(_ item: ItemDocument) -> [String: Any] {
        var row: [String: Any] = [
            "id": item.id, "title": item.title, "kind": item.kind.rawValue,
            "subtitle": subtitle(item), "chips": PageChips.of(item), "glyph": item.kind == .movie ? "▶" : "♪",
            "time": item.duration.map(PageChips.clock) ?? (item.state == .pending ? "…" : ""),
            "failed": item.state == .failed, "isPending": item.state == .pending,
            "href": item.links.play ?? item.links.background ?? item.links.original,
            "play": item.links.play ?? "", "background": item.links.background ?? "",
            "original": item.links.original,
        ]
        // Only what is there: in a template an empty text is there, too.
        row["artwork"] = item.links.artwork
        row["problem"] = item.error?.message
        return row
    }

    private static func subtitle(_ item: ItemDocument) -> String {
        let tags = [item.artist, item.album].compactMap { $0 }
        return tags.isEmpty ? item.path : tags.joined(separator: " · ")
    }
}
