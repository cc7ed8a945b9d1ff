import SegueBase
import SegueOrigin
import SeguePlaylists

/// The commands for the playlists of an item, and for the resources that they list.
struct PlaylistCommands: CommandFamily {
    let facts: ServerFacts

    private static let playlistType = "application/vnd.apple.mpegurl"

    /// The expectations for every playlist.
    private static let came: [Expectation] = [
        .status(200), .header("Content-Type", playlistType), .header("Cache-Control", "no-cache"), .wholeLength,
        .strongTag,
    ]

    /// The playlists of an item with every query, and the resources that they list.
    func playlists(_ item: ListedItem, _ about: String, hasDevices: Bool) -> [ServerCommand] {
        let (master, index) = ("items/\(item.id)/master.m3u8", "items/\(item.id)/index.m3u8")
        let video = item.kind == "movie" ? true : nil
        var queries = ["artwork=0", "offset=0", "byterange=1", "unknown=1"]
        if hasDevices { queries += facts.devices.map { "device=\($0)" } }
        var commands = [
            multivariant(about, master).with([.tag, .packing, .parts, .constant]),
            media(about, index, video: video).with([.tag, .packing, .parts, .constant]),
            multivariant("\(about), apart=1", "\(master)?apart=1"),
            start("\(about), offset=0.5", "\(index)?offset=0.5"),
            ServerCommand(
                .master,
                "\(about), offset=0.5",
                at: "\(master)?offset=0.5",
                expect: Self.came + [.multivariantPlaylist, .text("offset=0.5")]
            ),
        ]
        for container in ["ts", "fmp4"] {
            let query = "container=\(container)"
            commands.append(multivariant("\(about), \(query)", "\(master)?\(query)"))
            commands.append(media("\(about), \(query)", "\(index)?\(query)", video: video, depth: .manners))
        }
        for query in queries {
            commands.append(multivariant("\(about), \(query)", "\(master)?\(query)"))
            commands.append(media("\(about), \(query)", "\(index)?\(query)", video: nil))
        }
        if item.duration ?? .infinity < 60 { commands.append(multivariant("\(about), ladder=1", "\(master)?ladder=1")) }
        return commands + background(of: item, named: about, master: master, index: index)
    }

    /// The audio-only playlists.
    private func background(
        of item: ListedItem,
        named about: String,
        master: String,
        index: String
    ) -> [ServerCommand] {
        guard item.links.background != nil else {
            let silent: [Expectation] = [.status(422), .error("noSound")]
            return [ServerCommand(.media, "\(about), background=1", at: "\(index)?background=1", expect: silent)]
        }
        let media = ["ts", "fmp4"].map { container in
            let query = "background=1&container=\(container)"
            return self.media("\(about), \(query)", "\(index)?\(query)", video: false, depth: .manners)
        }
        return media + [
            multivariant("\(about), background=1", "\(master)?background=1"),
            start("\(about), from 0.5 s in the background", "\(index)?background=1&offset=0.5"),
        ]
    }

    /// A playlist with a start offset.
    private func start(_ name: String, _ target: String) -> ServerCommand {
        ServerCommand(.media, name, at: target, expect: Self.came + [.mediaPlaylist, .beginsAt(Rational(1, 2))])
    }

    func refused(_ item: ListedItem) -> [ServerCommand] {
        let parts: [(RouteName, String)] = [
            (.master, "items/\(item.id)/master.m3u8"), (.media, "items/\(item.id)/index.m3u8"),
        ]
        let wrong = [
            "container": ["avi", ""], "offset": ["-1", "x", "1e3", "999999999", "99999999999999999999"],
            "background": ["2", "yes"], "artwork": ["x"], "byterange": ["x"], "device": ["nothing", "../vlc"],
            "rendition": ["nothing", "sound-99999999999999999999"], "subtitles": ["x", "-1", "99999999999999999999"],
        ]
        return parts.flatMap { route, target in
            wrong.flatMap { parameter, values in refused(route, at: target, parameter: parameter, values: values) }
        }
    }

    private func multivariant(_ name: String, _ target: String) -> ServerCommand {
        ServerCommand(.master, name, at: target, expect: Self.came + [.multivariantPlaylist]).followed { answer in
            guard case .multivariant(let playlist)? = try? Playlist.parse(answer.body) else { return [] }
            let iFrames = playlist.iFrameVariants.map(\.uri)
            let uris = playlist.variants.map(\.uri) + playlist.renditions.compactMap(\.uri) + iFrames
            return uris.map { uri in
                let query = uri.split(separator: "?", maxSplits: 1).dropFirst().joined()
                return media("from a multivariant playlist, \(query)", Self.resolve(uri, target), video: nil)
            }
        }
    }

    /// The extent to which the segments of a playlist are requested.
    enum Depth {
        case first
        /// The first and the last one with all HTTP features, and some that do not exist.
        case manners
    }

    private func media(_ name: String, _ target: String, video: Bool?, depth: Depth = .first) -> ServerCommand {
        ServerCommand(.media, name, at: target, expect: Self.came + [.mediaPlaylist]).followed { answer in
            guard case .media(let playlist)? = try? Playlist.parse(answer.body) else { return [] }
            return pieces(of: playlist, target, video: video, depth)
        }
    }
}

extension Expectation {
    /// The playlist has a precise start offset; if it is shorter, the offset is its end.
    fileprivate static func beginsAt(_ time: Rational) -> Expectation {
        Expectation("EXT-X-START at \(time)") { answer in
            guard case .media(let playlist)? = try? Playlist.parse(answer.body), let start = playlist.start else {
                return "the playlist has no EXT-X-START"
            }
            // Times are written to the microsecond.
            let end = playlist.duration + Rational(1, 1_000_000)
            let isRight = start.timeOffset == time || start.timeOffset < time && playlist.duration < time
            guard isRight, start.timeOffset <= end else { return "the playlist begins at \(start.timeOffset)" }
            return start.isPrecise ? nil : "EXT-X-START has no PRECISE=YES"
        }
    }
}
