/// The content steering of a playlist (`EXT-X-CONTENT-STEERING`; rfc8216bis, 4.4.6.6).
public struct ContentSteering: Sendable, Hashable {
    /// The URI of the steering manifest as written, which may be a `data:` URI.
    public var serverURI: String

    /// The initial pathway; nil leaves it to the client.
    public var pathwayID: String?

    /// Content steering by a manifest.
    ///
    /// - Parameters:
    ///   - serverURI: The URI of the steering manifest as written, which may be a `data:` URI.
    ///   - pathwayID: The initial pathway; nil leaves it to the client.
    public init(serverURI: String, pathwayID: String? = nil) {
        self.serverURI = serverURI
        self.pathwayID = pathwayID
    }
}
