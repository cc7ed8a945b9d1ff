/// What is asked of a server, and what lies on the disk.
package enum RemotePlace {
    /// Whether a place is an http or https URL.
    package static func isRemote(_ place: String) -> Bool {
        let scheme = place.prefix { $0 != ":" }.lowercased()
        return (scheme == "http" || scheme == "https") && place.dropFirst(scheme.count).hasPrefix("://")
    }
}
