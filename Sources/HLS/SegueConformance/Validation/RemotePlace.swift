/// The distinction between remote and local resources.
package enum RemotePlace {
    /// Returns true for an http or https URL.
    package static func isRemote(_ place: String) -> Bool {
        let scheme = place.prefix { $0 != ":" }.lowercased()
        return (scheme == "http" || scheme == "https") && place.dropFirst(scheme.count).hasPrefix("://")
    }
}
