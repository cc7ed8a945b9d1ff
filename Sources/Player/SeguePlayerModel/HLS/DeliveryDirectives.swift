/// The delivery directives of a request for a playlist (RFC 8216bis, 6.2.5).
struct DeliveryDirectives: Sendable, Equatable {
    /// A future place at the end of a playlist.
    struct Place: Sendable, Equatable {
        let sequence: Int
        /// The index of a part of that segment, from 0; nil for the whole segment.
        let part: Int?
    }

    /// The place that the response waits for; nil for an immediate response.
    var awaited: Place?

    /// Whether the response may skip known segments.
    var skips = false

    /// Whether the response may skip known date ranges as well.
    var skipsDateRanges = false

    var isEmpty: Bool { awaited == nil && !skips }

    /// Returns a URL with these directives in its query, in the required order (RFC 8216bis, 6.3.2).
    func added(to url: String) -> String {
        var more: [String] = []
        if let awaited {
            more.append("_HLS_msn=\(awaited.sequence)")
            if let part = awaited.part { more.append("_HLS_part=\(part)") }
        }
        if skips { more.append("_HLS_skip=\(skipsDateRanges ? "v2" : "YES")") }
        return DeliveryDirectives.changing(url) { $0 + more }
    }

    /// Returns a URL with another parameter, in the required order if it has directives.
    static func adding(_ parameter: String, to url: String) -> String {
        guard url.contains("_HLS_") else { return url + (url.contains("?") ? "&" : "?") + parameter }
        return changing(url) { $0 + [parameter] }
    }

    /// Returns a URL with another directive, in the required order.
    static func directing(_ directive: String, to url: String) -> String { changing(url) { $0 + [directive] } }

    /// Returns a URL without directives.
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
