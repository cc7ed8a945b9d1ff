import Foundation
import Media
import Mustache
import Notation
import Timeline

/// The web page with a list of items.
struct Page {
    /// How many items a page shows.
    static let size = 200

    /// The items shown.
    var items: [ItemDocument]
    /// How many items match.
    var total: Int
    /// How many the library has.
    var libraryCount: Int
    /// What was asked for.
    var query: ItemListQuery
    /// The text that was searched for, as it was typed.
    var searchText: String
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
        var model: [String: Any] = [
            "style": PageStyle.text, "script": PageScript.text, "q": searchText, "libraryCount": libraryCount,
            "items": items.map(Self.row), "pending": items.count { $0.state == .pending },
            "hasPages": total > items.count,
            "range": "\(query.offset + 1)–\(query.offset + items.count) of \(total)",
        ]
        model["address"] = address
        if let folder = query.folder, !folder.isEmpty { model["folder"] = folder }
        if items.isEmpty {
            model["empty"] = libraryCount == 0 ? "There are no media files in this folder." : "Nothing matches."
        }
        if query.offset > 0 { model["previous"] = link(offset: max(0, query.offset - query.limit)) }
        if query.offset + items.count < total, !items.isEmpty {
            model["next"] = link(offset: query.offset + query.limit)
        }
        return model
    }

    private func link(offset: Int) -> String {
        var parts = ["offset=\(offset)"]
        if !searchText.isEmpty { parts.append("q=\(PercentCoding.encode(searchText))") }
        if let folder = query.folder, !folder.isEmpty { parts.append("folder=\(PercentCoding.encode(folder))") }
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
