/// Where clients are told which pathway to take (`EXT-X-CONTENT-STEERING`; RFC 8216bis, 4.4.6.6).
package struct ContentSteering: Sendable, Hashable {
    /// The steering manifest, as written; it may be a `data:` URI.
    package var serverURI: String

    /// The pathway to take until there is a manifest; nil leaves it to the client.
    package var pathwayID: String?

    /// Steering by a manifest.
    package init(serverURI: String, pathwayID: String? = nil) {
        self.serverURI = serverURI
        self.pathwayID = pathwayID
    }
}
