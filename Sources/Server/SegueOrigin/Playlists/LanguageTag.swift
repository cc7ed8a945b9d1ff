import Foundation

/// A language as playlists write it, after BCP 47.
struct LanguageTag: Hashable, Sendable {
    /// The tag; `und` for a language that is not known.
    let text: String

    /// Codes of ISO 639-2 made from English names, with the code that BCP 47 asks for: the list at
    /// https://www.loc.gov/standards/iso639-2/php/code_list.php marks them (B).
    private static let bibliographic = [
        "alb": "sq", "arm": "hy", "baq": "eu", "bur": "my", "chi": "zh", "cze": "cs", "dut": "nl", "fre": "fr",
        "geo": "ka", "ger": "de", "gre": "el", "ice": "is", "mac": "mk", "mao": "mi", "may": "ms", "per": "fa",
        "rum": "ro", "slo": "sk", "tib": "bo", "wel": "cy",
    ]

    /// The tag for what a container says.
    ///
    /// - Parameter said: A code of ISO 639 or a tag; anything else, or nil, is a language that is not known.
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

    /// Whether the language is known.
    var isKnown: Bool { text != "und" }

    /// The language's name in English; nil where there is none.
    var name: String? { isKnown ? Locale(identifier: "en").localizedString(forIdentifier: text) : nil }
}
