internal import Foundation

/// The argument of `segue play`: a URL or a local file.
package enum PlaybackSource: Sendable, Equatable {
    /// An `http` or `https` URL.
    case url(String)
    /// The path of a regular file.
    case file(String)

    /// Interprets an argument, looking at the first bytes of a file.
    ///
    /// - Throws: ``PlaybackSourceError`` with a remedy.
    package init(_ text: String) throws(PlaybackSourceError) {
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            self = .url(text)
            return
        }
        var path = text
        if let rest = text.wholeMatch(of: /file:\/\/(?:localhost)?(\/.*)/)?.1 {
            path = String(rest).removingPercentEncoding ?? String(rest)
        } else if text.contains("://") {
            throw PlaybackSourceError(text, "not an http or https URL and not a file")
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw PlaybackSourceError(text, "no such file; a URL begins with http:// or https://")
        }
        guard !isFolder.boolValue else {
            throw PlaybackSourceError(text, "is a folder; name a file in it, or serve the folder with segue serve")
        }
        guard !PlaybackSource.isPlaylist(path) else {
            let url = URL(fileURLWithPath: path)
            let folder = url.deletingLastPathComponent().path
            let advice = "serve its folder, such as with 'python3 -m http.server 8000 --directory \(folder)', and play "
            throw PlaybackSourceError(
                text,
                "is a playlist; a player loads its segments over HTTP; \(advice)"
                    + "http://127.0.0.1:8000/\(url.lastPathComponent)"
            )
        }
        self = .file(path)
    }

    private static func isPlaylist(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        let mark = Array("#EXTM3U".utf8)
        let head = (try? file.read(upToCount: mark.count + 3)).map(Array.init) ?? []
        return head.starts(with: mark) || head.starts(with: [0xEF, 0xBB, 0xBF] + mark)
    }
}

/// The reason why something cannot be played.
package struct PlaybackSourceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One line with the problem and its remedy.
    package let description: String

    package init(_ what: String, _ why: String) { description = "\(what): \(why)" }
}
