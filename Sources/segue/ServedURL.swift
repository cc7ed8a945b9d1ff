/// URLs of items of `segue serve`.
enum ServedURL {
    /// The playlist of an item's sound alone; nil for a URL that is not an item's playlist.
    static func background(of url: String) -> String? {
        let parts = url.split(separator: "?", maxSplits: 1)
        let path = parts[0].split(separator: "/")
        guard path.count >= 3, path[path.count - 3] == "items",
            path.last == "index.m3u8" || path.last == "master.m3u8"
        else { return nil }
        return url + (parts.count > 1 ? "&" : "?") + "background=1"
    }
}
