/// What a server is asked to do before it answers with a playlist (RFC 8216bis, 6.2.5).
struct DeliveryDirectives: Sendable, Equatable {
    /// A place at the end of a playlist that is still to come.
    struct Place: Sendable, Equatable {
        /// A media sequence number.
        let sequence: Int
        /// A part of that segment, from 0; nil for the whole of it.
        let part: Int?
    }

    /// What the playlist is to have; nil where the answer is to come at once.
    var awaited: Place?

    /// Whether segments that are known may be left out.
    var skips = false

    /// Whether date ranges that are known may be left out as well.
    var skipsDateRanges = false

    /// Whether nothing is asked for.
    var isEmpty: Bool { awaited == nil && !skips }

    /// An address with these in its query, whose parameters are put in order (RFC 8216bis, 6.3.2).
    func added(to url: String) -> String {
        var more: [String] = []
        if let awaited {
            more.append("_HLS_msn=\(awaited.sequence)")
            if let part = awaited.part { more.append("_HLS_part=\(part)") }
        }
        if skips { more.append("_HLS_skip=\(skipsDateRanges ? "v2" : "YES")") }
        return DeliveryDirectives.changing(url) { $0 + more }
    }

    /// An address with a further parameter, in order where it has directives.
    static func adding(_ parameter: String, to url: String) -> String {
        guard url.contains("_HLS_") else { return url + (url.contains("?") ? "&" : "?") + parameter }
        return changing(url) { $0 + [parameter] }
    }

    /// An address with a further directive, and all parameters in order.
    static func directing(_ directive: String, to url: String) -> String { changing(url) { $0 + [directive] } }

    /// An address without directives.
    static func removed(from url: String) -> String {
        guard url.contains("_HLS_") else { return url }
        return changing(url) { $0.filter { !$0.hasPrefix("_HLS_") } }
    }

    private static func changing(_ url: String, _ change: ([String]) -> [String]) -> String {
        let fragment = url.firstIndex(of: "#") ?? url.endIndex
        let mark = url[..<fragment].firstIndex(of: "?") ?? fragment
        let query = url[mark..<fragment].dropFirst().split(separator: "&").map(String.init)
        let ordered = change(query).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return url[..<mark] + (ordered.isEmpty ? "" : "?") + ordered.joined(separator: "&") + url[fragment...]
    }
}
