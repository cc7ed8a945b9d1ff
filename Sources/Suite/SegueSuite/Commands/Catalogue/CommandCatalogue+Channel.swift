import SegueOrigin
import SeguePlaylists

extension CommandCatalogue {
    private static let playlistType = "application/vnd.apple.mpegurl"

    /// The channel of the whole library: its playlists, their segments, and invalid requests.
    var channelCommands: [ServerCommand] {
        let index = "channel/index.m3u8"
        let beyond: [Expectation] = [.status(400), .error("badQuery", naming: "_HLS_msn")]
        return [
            ServerCommand(.channel, "renditions", "channel/master.m3u8", expect: Self.channel([])) { answer in
                guard case .multivariant(let playlist)? = try? Playlist.parse(answer.body) else { return [] }
                return playlist.variants.map { variant in
                    let target = Self.resolve(variant.uri, "channel/master.m3u8")
                    return channelPlaylist("from its multivariant playlist, \(target)", target)
                }
            },
            channelPlaylist("", index),
            ServerCommand(
                .channel,
                "an unknown folder",
                "\(index)?folder=none-of-them",
                expect: [.status(422), .error("noItems")]
            ),
            ServerCommand(
                .channel,
                "a part without a segment",
                "\(index)?_HLS_part=1",
                expect: [.status(400), .error("badQuery", naming: "_HLS_part")]
            ),
            ServerCommand(.channel, "far ahead", "\(index)?_HLS_msn=9007199254740992", expect: Self.channel(beyond)),
        ] + refused(.channel, index, "_HLS_msn", ["-1", "x", "99999999999999999999"])
            + refused(.channel, "\(index)?_HLS_msn=1", "_HLS_part", ["-1", "x"])
    }

    /// Segments of a channel that do not exist; the existing ones follow from its playlists.
    var channelPieceCommands: [ServerCommand] {
        let nothing: [Expectation] = [.status(404), .error("notFound")]
        let names = ["full/99999999999999999999.m4s", "full/1.2.3.m4s", "sound-1/0.m4s", "full/0.ts"]
        return names.map { name in
            ServerCommand(.channelPiece, "none such", "channel/\(Self.noTag)/\(name)", expect: nothing)
        } + [
            ServerCommand(
                .channelPiece,
                "of other titles",
                "channel/\(Self.noTag)/full/0.m4s",
                expect: Self.channel(nothing)
            )
        ]
    }

    /// The expectations for an existing channel; without playable items the response is a 422 with a reason.
    private static func channel(_ expected: [Expectation]) -> [Expectation] {
        let there =
            expected.isEmpty
            ? [.status(200), .header("Content-Type", playlistType), .wholeLength, .strongTag] : expected
        let text = there.map(\.text).joined(separator: ", ")
        return [
            Expectation("\(text); or 422 without playable items") { answer in
                if answer.status == 422 { return Expectation.error(nil).check(answer) }
                return Expectation.first(of: there, notIn: answer)
            }
        ]
    }

    /// A playlist of a channel, its low-latency variants, and its last segments.
    private func channelPlaylist(_ name: String, _ target: String) -> ServerCommand {
        ServerCommand(.channel, name, target, expect: Self.channel([]) + [.livePlaylist]) { answer in
            guard case .media(let playlist)? = try? Playlist.parse(answer.body), let last = playlist.segments.last
            else {
                return []
            }
            let joint = target.contains("?") ? "&" : "?"
            let came: [Expectation] = [.status(200), .header("Content-Type", Self.playlistType), .strongTag]
            let reloads = [
                ("", "_HLS_msn=\(playlist.nextSequence)"),
                ("with parts, ", "_HLS_msn=\(playlist.nextSequence)&_HLS_part=1"),
                ("delta update, ", "_HLS_skip=YES"),
            ].map { words, directives in
                ServerCommand(
                    .channel,
                    "\(name.isEmpty ? "" : "\(name), ")\(words)\(directives)",
                    "\(target)\(joint)\(directives)",
                    expect: came
                )
            }
            let hint = playlist.preloadHints.first { $0.kind == .part }.map { $0.uri }
            let uris = (last.isGap ? [] : [last.uri] + last.parts.suffix(1).map(\.uri)) + [hint].compactMap { $0 }
            return reloads + uris.map { uri in channelPiece(uri, target) }
        }
    }

    private func channelPiece(_ uri: String, _ target: String) -> ServerCommand {
        let expected: [Expectation] = [
            .status(200), .wholeLength, .strongTag, .header("Accept-Ranges", "bytes"),
            .header("Cache-Control", startsWith: "\(facts.hasKey ? "private" : "public"), max-age="), .media(),
        ]
        let command = ServerCommand(.channelPiece, "", Self.resolve(uri, target), expect: expected)
        return command.with([.tag, .parts, .constant])
    }
}

extension Expectation {
    /// A playlist without an end and with parts.
    fileprivate static let livePlaylist = Expectation("a media playlist without an end, with parts") { answer in
        if answer.status == 422 { return nil }
        guard case .media(let playlist)? = try? Playlist.parse(answer.body) else {
            return "the body is not a media playlist"
        }
        if playlist.hasEndList { return "the playlist ends" }
        return playlist.partTarget == nil ? "the playlist has no parts" : nil
    }
}
