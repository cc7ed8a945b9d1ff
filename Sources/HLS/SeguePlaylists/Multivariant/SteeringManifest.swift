/// What a steering server says of which pathway is to be taken (RFC 8216bis, 7.2).
public struct SteeringManifest: Sendable, Equatable {
    /// A pathway that is another one with other addresses (RFC 8216bis, 7.3).
    public struct Clone: Sendable, Equatable {
        /// The pathway that it is made from.
        public var baseID: String
        /// What it is called.
        public var id: String
        /// The host in place of that of the base; nil for the same.
        public var host: String?
        /// Query parameters that are put into addresses.
        public var parameters: [String: String]
        /// Whole addresses of variants, by stable ID.
        public var variantURIs: [String: String]
        /// Whole addresses of renditions, by stable ID.
        public var renditionURIs: [String: String]

        /// The address in this pathway of what has an address in the base.
        ///
        /// - Parameters:
        ///   - address: The address in the base.
        ///   - whole: The address that the manifest gives for what has this stable ID; nil where it gives none.
        /// - Returns: The address.
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

    /// How many clones are taken.
    private static let mostClones = 32

    /// For how many seconds it holds; nil where it does not say.
    public var secondsToLive: Double?

    /// Where the next one is, as written; nil for the same place.
    public var reloadURI: String?

    /// The pathways, the most wanted one first.
    public var priority: [String]

    /// Further pathways.
    public var clones: [Clone]

    /// Reads a manifest; nil for what is none, or one of another version (RFC 8216bis, 7.2).
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
