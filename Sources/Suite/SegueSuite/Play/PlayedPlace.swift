internal import Foundation

/// What somebody wants to play: what a URL names, or a file on this machine.
package enum PlayedPlace: Sendable, Equatable {
    /// An `http` or `https` URL.
    case url(String)
    /// A regular file's path.
    case file(String)

    /// Finds out what a text means; of a file, its first bytes are looked at.
    ///
    /// - Parameter text: A URL, or the path of a file.
    /// - Throws: ``PlayedPlaceError`` with what to do instead.
    package init(_ text: String) throws(PlayedPlaceError) {
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            self = .url(text)
            return
        }
        var path = text
        if let rest = text.wholeMatch(of: /file:\/\/(?:localhost)?(\/.*)/)?.1 {
            path = String(rest).removingPercentEncoding ?? String(rest)
        } else if text.contains("://") {
            throw PlayedPlaceError(text, "neither an http or https URL nor a file")
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw PlayedPlaceError(text, "there is no such file; a URL begins with http:// or https://")
        }
        guard !isFolder.boolValue else {
            throw PlayedPlaceError(text, "is a folder; name a file in it, or have segue serve make URLs of all of them")
        }
        guard !PlayedPlace.isPlaylist(path) else {
            let url = URL(fileURLWithPath: path)
            let folder = url.deletingLastPathComponent().path
            let advice = "serve its folder, such as with 'python3 -m http.server 8000 --directory \(folder)', and play "
            throw PlayedPlaceError(
                text,
                "is a playlist, whose segments a player loads over HTTP; \(advice)"
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

/// Something that cannot be played, and why.
package struct PlayedPlaceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One line: what, why, and what to do.
    package let description: String

    /// An error on a URL or a file, and why it is none.
    package init(_ what: String, _ why: String) { description = "\(what): \(why)" }
}
