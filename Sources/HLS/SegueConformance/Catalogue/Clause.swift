/// A clause of a text that requires something.
package struct Clause: Sendable, Hashable, CustomStringConvertible {
    /// A text with requirements.
    package enum Text: String, Sendable, CaseIterable {
        case rfc8216 = "R"
        /// The draft of its successor, draft-pantos-hls-rfc8216bis.
        case draft = "B"
        /// Apple's HLS authoring specification for Apple devices.
        case apple = "A"
        /// RFC 9110 (HTTP semantics) and RFC 9111 (caching); other RFCs have their number in the section.
        case http = "H"
        /// The specification of the media or of a format: ISO/IEC 13818-1, 14496-12, 14496-15, 23000-19, and others.
        case media = "M"
        /// Advice of this project.
        case own

        /// The name as prose.
        package var name: String {
            switch self {
            case .rfc8216: "RFC 8216"
            case .draft: "rfc8216bis"
            case .apple: "Apple's authoring specification"
            case .http: "HTTP"
            case .media: "ISO/IEC"
            case .own: "advice"
            }
        }
    }

    package let text: Text

    /// The section, such as `4.3.2.1`; empty for advice.
    package let section: String

    package let severity: Severity

    /// Parses a list such as `R4.3.4.2 should, A9.1`.
    ///
    /// Clauses without a word get the given severity.
    static func list(_ text: String, _ severity: Severity) -> [Clause] {
        text.split(separator: ",").map { part in
            let words = part.split(separator: " ", maxSplits: 1)
            guard let first = words.first, first != "own", let text = Text(rawValue: String(first.prefix(1))) else {
                return Clause(text: .own, section: "", severity: .advice)
            }
            let own: Severity? = words.count > 1 ? (words[1] == "should" ? .should : .must) : nil
            return Clause(text: text, section: String(first.dropFirst()), severity: own ?? severity)
        }
    }

    /// The letter of the text and the section, such as `R4.3.2.1`.
    package var description: String { text == .own ? "own" : text.rawValue + section }

    /// The name of the text, the section, and the severity, such as `RFC 8216 4.3.2.1, MUST`.
    package var words: String {
        guard text != .own else { return text.name }
        // Media requirements also come from RFCs, such as that on Opus in Ogg, and from the W3C.
        let place =
            section.hasPrefix("RFC")
            ? "RFC \(section.dropFirst(3))" : section.hasPrefix("IMSC") ? "W3C \(section)" : "\(text.name) \(section)"
        return "\(place), \(severity == .must ? "MUST" : "SHOULD")"
    }
}
