/// The URLs of items of `segue serve`.
package enum ServedItemURL {
    /// The audio-only playlist of an item; nil for a URL that is not an item's playlist.
    package static func background(of url: String) -> String? {
        guard isPlaylist(url) else { return nil }
        return url + (url.contains("?") ? "&" : "?") + "background=1"
    }

    /// The multivariant playlist of an item, with a separate audio rendition; nil for a URL that is not an item's
    /// playlist.
    package static func multivariant(of url: String) -> String? {
        guard isPlaylist(url) else { return nil }
        let master = url.replacing("/index.m3u8", with: "/master.m3u8", maxReplacements: 1)
        return master + (url.contains("?") ? "&" : "?") + "apart=1"
    }

    /// The playlist of an item for a device; a URL that is not an item's playlist, or names a device, is unchanged.
    package static func naming(_ device: String, in url: String) -> String {
        guard isPlaylist(url), !url.contains("?device="), !url.contains("&device=") else { return url }
        return url + (url.contains("?") ? "&" : "?") + "device=\(device)"
    }

    private static func isPlaylist(_ url: String) -> Bool {
        let parts = url.split(separator: "?", maxSplits: 1)
        let path = parts.first?.split(separator: "/") ?? []
        return path.count >= 3 && path[path.count - 3] == "items"
            && (path.last == "index.m3u8" || path.last == "master.m3u8")
    }
}
