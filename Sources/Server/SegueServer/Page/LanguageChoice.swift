import SegueOrigin

/// The selection of the page's language for a visitor.
enum LanguageChoice {
    /// The cookie that the page's language menu sets.
    static let cookie = "language"

    /// Returns the language in the address, or else the one chosen before, or else the browser's, or else English.
    ///
    /// The browser's languages are looked up as in RFC 4647, section 3.4.
    ///
    /// - Parameters:
    ///   - visit: The request's language, cookies, and accepted languages.
    ///   - tags: The tags of the available languages, including `en`.
    /// - Returns: One of the tags.
    static func best(for visit: PageVisit, of tags: some Collection<String>) -> String {
        for wish in [visit.language, chosen(visit.cookies ?? "")].compactMap(\.self) {
            if let tag = tags.first(where: { $0.lowercased() == wish.lowercased() }) { return tag }
        }
        return accepted(visit.acceptedLanguages ?? "").lazy.compactMap { match($0, tags) }.first ?? "en"
    }

    /// The languages of `Accept-Language` by descending weight, without those of weight 0.
    private static func accepted(_ field: String) -> [String] {
        let elements = field.split(separator: ",").prefix(50).map { element -> (tag: String, weight: Double) in
            let parts = element.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
            return (parts.first ?? "", weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1)
        }
        // The sort is stable, so languages of equal weight keep their order.
        return elements.filter { $0.weight > 0 }.sorted { $0.weight > $1.weight }.map(\.tag)
    }

    /// Returns the longest available prefix of a tag: `de` for `de-AT`.
    private static func match(_ wish: String, _ tags: some Collection<String>) -> String? {
        var parts = wish.lowercased().split(separator: "-").prefix(8)
        while !parts.isEmpty {
            let shortened = parts.joined(separator: "-")
            if let tag = tags.first(where: { $0.lowercased() == shortened }) { return tag }
            parts.removeLast()
        }
        return nil
    }

    private static func chosen(_ cookies: String) -> String? {
        for pair in cookies.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            if parts.count == 2, parts[0] == cookie { return parts[1] }
        }
        return nil
    }
}
