/// A content steering manifest (rfc8216bis, 7.2).
public struct SteeringManifest: Sendable, Equatable {
    /// A pathway clone (rfc8216bis, 7.3).
    public struct Clone: Sendable, Equatable {
        /// The ID of the base pathway.
        public var baseID: String
        /// The ID of the clone.
        public var id: String
        /// The replacement host; nil for the same host.
        public var host: String?
        /// The query parameters that are added to URIs.
        public var parameters: [String: String]
        /// The replacement URIs of variants by stable ID.
        public var variantURIs: [String: String]
        /// The replacement URIs of renditions by stable ID.
        public var renditionURIs: [String: String]

        /// Returns the URI in this pathway for a URI of the base pathway.
        ///
        /// - Parameters:
        ///   - address: The URI in the base pathway.
        ///   - whole: The replacement URI for the stable ID; nil if the manifest has none.
        /// - Returns: The URI in this pathway.
        public func address(of address: String, replacedBy whole: String?) -> String {
            if let whole { return whole }
            var text = address
            if let host, let scheme = text.firstRange(of: "://") {
                let end = text[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? text.endIndex
                text = text[..<scheme.upperBound] + host + text[end...]
            }
            guard !parameters.isEmpty else { return text }
            let end = text.firstIndex(of: "#") ?? text.endIndex
            let mark = text[..<end].firstIndex(of: "?") ?? end
            let kept = text[mark..<end].dropFirst().split(separator: "&").filter { pair in
                parameters[String(pair.prefix { $0 != "=" })] == nil
            }
            let added = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return text[..<mark] + "?" + (kept.map(String.init) + added).joined(separator: "&") + text[end...]
        }
    }

    /// The maximum number of clones that are read.
    private static let mostClones = 32

    /// The lifetime in seconds; nil if not given.
    public var secondsToLive: Double?

    /// The URI of the next manifest as written; nil for the same URI.
    public var reloadURI: String?

    /// The pathways in order of priority.
    public var priority: [String]

    /// The pathway clones.
    public var clones: [Clone]

    /// Parses a manifest; nil for other JSON or another version (rfc8216bis, 7.2).
    ///
    /// - Parameter text: The manifest as JSON.
    public init?(_ text: String) {
        guard let json = JSONValue(text), json["VERSION"] == .number(1),
            let priority = json["PATHWAY-PRIORITY"]?.elements?.compactMap(\.text), !priority.isEmpty
        else { return nil }
        self.priority = priority
        secondsToLive = json["TTL"]?.seconds
        reloadURI = json["RELOAD-URI"]?.text
        clones = (json["PATHWAY-CLONES"]?.elements ?? []).prefix(SteeringManifest.mostClones).compactMap(Clone.init)
    }
}

extension SteeringManifest.Clone {
    fileprivate init?(_ json: JSONValue) {
        guard let baseID = json["BASE-ID"]?.text, let id = json["ID"]?.text, let other = json["URI-REPLACEMENT"] else {
            return nil
        }
        self.init(
            baseID: baseID,
            id: id,
            host: other["HOST"]?.text,
            parameters: other["PARAMS"]?.texts ?? [:],
            variantURIs: other["PER-VARIANT-URIS"]?.texts ?? [:],
            renditionURIs: other["PER-RENDITION-URIS"]?.texts ?? [:]
        )
    }
}
