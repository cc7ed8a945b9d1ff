/// The delivery directives of a reload (rfc8216bis, 6.2.5).
struct Directives: Hashable {
    var sequence: Int?
    var part: Int?
    var skips = false

    var isEmpty: Bool { self == Directives() }

    /// Returns a URL with the directives in its query.
    func added(to url: String) -> String {
        var pairs: [String] = []
        if let sequence { pairs.append("_HLS_msn=\(sequence)") }
        if let part { pairs.append("_HLS_part=\(part)") }
        if skips { pairs.append("_HLS_skip=YES") }
        guard !pairs.isEmpty else { return url }
        let plain = url.prefix { $0 != "#" }
        return plain + (plain.contains("?") ? "&" : "?") + pairs.joined(separator: "&")
    }

    /// Splits a URL into the plain URL and its directives.
    static func split(_ url: String) -> (url: String, directives: Directives) {
        let plain = url.prefix { $0 != "#" }
        guard let mark = plain.firstIndex(of: "?"), plain[mark...].contains("_HLS_") else {
            return (String(plain), Directives())
        }
        var directives = Directives()
        var kept: [Substring] = []
        for pair in plain[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false) {
            let value = pair.drop { $0 != "=" }.dropFirst()
            switch pair.prefix(while: { $0 != "=" }) {
            case "_HLS_msn": directives.sequence = Int(value)
            case "_HLS_part": directives.part = Int(value)
            case "_HLS_skip": directives.skips = true
            default: kept.append(pair)
            }
        }
        let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        return (plain[..<mark] + query, directives)
    }
}
