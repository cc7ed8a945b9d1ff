package import SegueBase

/// The response of a steering server (rfc8216bis, 7, and Apple's content steering specification).
package struct SteeringFacts: Sendable {
    /// A pathway clone with the result of loading its first playlist.
    package struct Clone: Sendable {
        package let id: String
        /// The URL of its first playlist.
        package let url: String
        /// The reason why the playlist failed to load; nil if it loaded.
        package let failure: Message?

        package init(id: String, url: String, failure: Message?) {
            (self.id, self.url, self.failure) = (id, url, failure)
        }
    }

    package let url: String
    package let bytes: [UInt8]
    /// The reason why the manifest failed to load; nil if it loaded.
    package let failure: Message?
    /// The clones that were loaded.
    package var clones: [Clone] = []

    package init(url: String, bytes: [UInt8], failure: Message? = nil) {
        (self.url, self.bytes, self.failure) = (url, bytes, failure)
    }
}
