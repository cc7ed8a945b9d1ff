import Foundation

/// A language in playlists, as a BCP 47 tag.
struct LanguageTag: Hashable, Sendable {
    /// The tag; `und` for an unknown language.
    let text: String

    /// The codes of ISO 639-2/B and their BCP 47 codes, from https://www.loc.gov/standards/iso639-2/php/code_list.php,
    /// which marks them (B).
    private static let bibliographic = [
        "alb": "sq", "arm": "hy", "baq": "eu", "bur": "my", "chi": "zh", "cze": "cs", "dut": "nl", "fre": "fr",
        "geo": "ka", "ger": "de", "gre": "el", "ice": "is", "mac": "mk", "mao": "mi", "may": "ms", "per": "fa",
        "rum": "ro", "slo": "sk", "tib": "bo", "wel": "cy",
    ]

    /// Creates the tag of a container's language.
    ///
    /// - Parameter said: A code of ISO 639 or a tag; anything else is an unknown language.
    init(_ said: String?) {
        let parts = (said ?? "").replacing("_", with: "-").split(separator: "-", omittingEmptySubsequences: false)
        let isTag = parts.allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard isTag, let code = parts.first?.lowercased(), (2...3).contains(code.count),
            code.allSatisfy(\.isLetter)
        else {
            text = "und"
            return
        }
        let rest = [Self.bibliographic[code] ?? code] + parts.dropFirst().map(String.init)
        text = Locale.identifier(.bcp47, from: rest.joined(separator: "-"))
    }

    var isKnown: Bool { text != "und" }

    /// The language's name in English, or nil if there is none.
    var name: String? { isKnown ? Locale(identifier: "en").localizedString(forIdentifier: text) : nil }
}
