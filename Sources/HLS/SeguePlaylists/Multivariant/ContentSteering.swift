/// Where clients are told which pathway to take (`EXT-X-CONTENT-STEERING`; RFC 8216bis, 4.4.6.6).
public struct ContentSteering: Sendable, Hashable {
    /// The steering manifest, as written; it may be a `data:` URI.
    public var serverURI: String

    /// The pathway to take until there is a manifest; nil leaves it to the client.
    public var pathwayID: String?

    /// Steering by a manifest.
    ///
    /// - Parameters:
    ///   - serverURI: The steering manifest, as written; it may be a `data:` URI.
    ///   - pathwayID: The pathway to take until there is a manifest; nil leaves it to the client.
    public init(serverURI: String, pathwayID: String? = nil) {
        self.serverURI = serverURI
        self.pathwayID = pathwayID
    }
}
