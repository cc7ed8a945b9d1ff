/// What a steering server says (rfc8216bis, 7, and Apple's specification of content steering).
package struct SteeringFacts: Sendable {
    /// A pathway that is another one with other addresses, with what came of its first playlist.
    package struct Clone: Sendable {
        /// Its name.
        package let id: String
        /// Where its first playlist is.
        package let url: String
        /// Why there is none; nil where there is.
        package let failure: String?

        /// A clone that was tried.
        package init(id: String, url: String, failure: String?) {
            (self.id, self.url, self.failure) = (id, url, failure)
        }
    }

    /// Where the manifest is.
    package let url: String
    /// The manifest.
    package let bytes: [UInt8]
    /// Why there is none; nil where there is.
    package let failure: String?
    /// The clones that were tried.
    package var clones: [Clone] = []

    /// A manifest as it came.
    package init(url: String, bytes: [UInt8], failure: String? = nil) {
        (self.url, self.bytes, self.failure) = (url, bytes, failure)
    }
}
