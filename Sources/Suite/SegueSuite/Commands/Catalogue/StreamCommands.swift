import SegueOrigin
import SeguePlaylists

/// The commands for endless streams: radio stations and channels.
struct StreamCommands: CommandFamily {
    let facts: ServerFacts

    private static let playlistType = "application/vnd.apple.mpegurl"

    var radio: [ServerCommand] {
        func listening(
            _ name: String,
            to target: String,
            type: String,
            expect more: [Expectation] = []
        ) -> ServerCommand {
            var command = ServerCommand(
                .radio,
                name,
                at: target,
                headers: [("Icy-MetaData", "1")],
                expect: [
                    .status(200), .header("Content-Type", type), .header("Accept-Ranges", "none"),
                    .hasHeader("icy-metaint"),
                ] + more
            )
            command.enough = 20_000
            return command
        }
        return [
            listening(
                "MP3",
                to: "radio",
                type: "audio/mpeg",
                expect: [.begins([[0xFF, 0xFB], [0xFF, 0xFA], Array("ID3".utf8)], "MP3")]
            ),
            listening(
                "AAC",
                to: "radio?format=aac",
                type: "audio/aac",
                expect: [.begins([[0xFF, 0xF1], [0xFF, 0xF9]], "ADTS")]
            ),
            listening("shuffled", to: "radio?shuffle=7", type: "audio/mpeg"),
            ServerCommand(
                .radio,
                "an unknown folder",
                at: "radio?folder=none-of-them",
                expect: [.status(422), .error("noItems")]
            ),
        ] + refused(.radio, at: "radio", parameter: "format", values: ["ogg"])
            + refused(.radio, at: "radio", parameter: "shuffle", values: ["x", "-1"])
    }

    /// The channel of the whole library: its playlists, their segments, and invalid requests.
    var channel: [ServerCommand] {
        let index = "channel/index.m3u8"
        let beyond: [Expectation] = [.status(400), .error("badQuery", naming: "_HLS_msn")]
        return [
            ServerCommand(.channel, "renditions", at: "channel/master.m3u8", expect: Self.orWithoutItems([])).followed {
                answer in
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
                at: "\(index)?folder=none-of-them",
                expect: [.status(422), .error("noItems")]
            ),
            ServerCommand(
                .channel,
                "a part without a segment",
                at: "\(index)?_HLS_part=1",
                expect: [.status(400), .error("badQuery", naming: "_HLS_part")]
            ),
            ServerCommand(
                .channel,
                "far ahead",
                at: "\(index)?_HLS_msn=9007199254740992",
                expect: Self.orWithoutItems(beyond)
            ),
        ] + refused(.channel, at: index, parameter: "_HLS_msn", values: ["-1", "x", "99999999999999999999"])
            + refused(.channel, at: "\(index)?_HLS_msn=1", parameter: "_HLS_part", values: ["-1", "x"])
    }

    /// Segments of a channel that do not exist; the existing ones follow from its playlists.
    var channelPieces: [ServerCommand] {
        let nothing: [Expectation] = [.status(404), .error("notFound")]
        let names = ["full/99999999999999999999.m4s", "full/1.2.3.m4s", "sound-1/0.m4s", "full/0.ts"]
        return names.map { name in
            ServerCommand(.channelPiece, "none such", at: "channel/\(Self.noTag)/\(name)", expect: nothing)
        } + [
            ServerCommand(
                .channelPiece,
                "of other titles",
                at: "channel/\(Self.noTag)/full/0.m4s",
                expect: Self.orWithoutItems(nothing)
            )
        ]
    }

    /// The expectations for an existing channel; without playable items the response is a 422 with a reason.
    private static func orWithoutItems(_ expected: [Expectation]) -> [Expectation] {
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
        ServerCommand(.channel, name, at: target, expect: Self.orWithoutItems([]) + [.livePlaylist]).followed {
            answer in
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
                    at: "\(target)\(joint)\(directives)",
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
        let command = ServerCommand(.channelPiece, "", at: Self.resolve(uri, target), expect: expected)
        return command.with([.tag, .parts, .constant])
    }
}

extension Expectation {
    fileprivate static let livePlaylist = Expectation("a media playlist without an end, with parts") { answer in
        if answer.status == 422 { return nil }
        guard case .media(let playlist)? = try? Playlist.parse(answer.body) else {
            return "the body is not a media playlist"
        }
        if playlist.hasEndList { return "the playlist ends" }
        return playlist.partTarget == nil ? "the playlist has no parts" : nil
    }
}
