/// Where a demand is written.
package struct Clause: Sendable, Hashable, CustomStringConvertible {
    /// A text that demands something.
    package enum Text: String, Sendable, CaseIterable {
        /// RFC 8216.
        case rfc8216 = "R"
        /// Its successor's draft, draft-pantos-hls-rfc8216bis.
        case draft = "B"
        /// Apple's HLS authoring specification for Apple devices.
        case apple = "A"
        /// RFC 9110, HTTP semantics, with RFC 9111 on caching.
        case http = "H"
        /// The specification of the media or of a format: ISO/IEC 13818-1, 14496-12, 14496-15, 23000-19 and others.
        case media = "M"
        /// Nothing but this project's advice.
        case own

        /// Its name, for a sentence.
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

    /// The text.
    package let text: Text

    /// The section in it, such as `4.3.2.1`; empty for advice.
    package let section: String

    /// What the text says of it, in its own word.
    package let severity: Severity

    /// The clauses of a list such as `R4.3.4.2 should, A9.1`, whose severity is that given where none stands behind one.
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

    /// The text's name, the section, and its word.
    package var words: String {
        guard text != .own else { return text.name }
        // What media need is not all written by one body.
        let place = section.hasPrefix("RFC") ? "RFC \(section.dropFirst(3))" : "\(text.name) \(section)"
        return "\(place), \(severity == .must ? "MUST" : "SHOULD")"
    }
}
