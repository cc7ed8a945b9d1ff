import SegueBase
import SeguePlaylists

/// Faults in changes of multivariant playlists, and in I-frame playlists.
extension Fault {
    /// The multivariant playlist, from an instant on.
    private static func listing(
        _ rule: String,
        _ kind: Stage.Kind = .pair,
        from: Double = 50,
        _ change: @escaping @Sendable (inout MultivariantPlaylist, Double) -> Void
    ) -> Fault {
        fault(rule, kind) { exchange in
            guard exchange.at > from, var playlist = exchange.multivariant else { return }
            change(&playlist, exchange.at)
            exchange.multivariant = playlist
        }
    }

    /// The I-frame playlist.
    private static func iFrames(
        _ rule: String,
        from: Double = -1,
        _ change: @escaping @Sendable (inout MediaPlaylist) -> Void
    ) -> Fault {
        playlist(rule, .trickPlay, from: from) { if $0.isIFramesOnly { change(&$0) } }
    }

    private static let audio = MediaRendition(kind: .audio, group: "g", name: "n", language: "en", uri: "c.m3u8")

    static let multivariant = [
        fault("live-reload", .pair) { if $0.multivariant != nil, $0.at > 50 { $0.status = 404 } },
        fault("live-readable", .pair) { if $0.multivariant != nil, $0.at > 50 { $0.bytes = Array("<html>".utf8) } },
        fault("live-readable", .pair) { exchange in
            guard exchange.multivariant != nil, exchange.at > 50 else { return }
            exchange.bytes = Array(Stage(kind: .plain).playlist("a", media: exchange.at + 400.5).text.utf8)
        },
        listing("live-listed") { playlist, _ in playlist.variants.removeLast() },
        listing("live-listed", .trickPlay) { playlist, _ in playlist.iFrameVariants = [] },
        listing("live-listed", from: -1) { playlist, now in
            if now < 50 { playlist.renditions = [audio] }
        },
        listing("live-stable-name", from: -1) { playlist, now in
            for index in playlist.variants.indices { playlist.variants[index].stableID = "\(index)" }
            if now > 50 { playlist.variants[1].stableID = "2" }
        },
        listing("live-stable-name", from: -1) { playlist, now in
            for index in playlist.variants.indices {
                let isOther = now > 50 && index == 1
                playlist.variants[index].stableID = "\(index)"
                playlist.variants[index].resolution = Resolution(width: isOther ? 640 : 320, height: 180)
            }
        },
        listing("live-stable-name", from: -1) { playlist, _ in
            for index in playlist.variants.indices {
                playlist.variants[index].stableID = "same"
                playlist.variants[index].resolution = Resolution(width: 320 * (index + 1), height: 180)
            }
        },
        listing("live-moved") { playlist, _ in playlist.variants[1].uri = "c.m3u8" },
        listing("live-variant-changed", from: -1) { playlist, now in
            for index in playlist.variants.indices {
                playlist.variants[index].codecs = [now > 50 && index == 1 ? "hvc1.2.4.L93.B0" : "avc1.64001f"]
            }
        },
        listing("live-variant-changed", from: -1) { playlist, now in
            var audio = audio
            if now > 50 { audio.language = "de" }
            playlist.renditions = [audio]
        },
        // New variants are watched as well.
        fault("live-date-given", .pair) { exchange in
            if exchange.at > 50 { exchange.multivariant?.variants.append(Variant(uri: "c.m3u8", bandwidth: 7)) }
            guard exchange.url.hasSuffix("c.m3u8") else { return }
            for index in exchange.playlist?.segments.indices ?? 0..<0 {
                exchange.playlist?.segments[index].programDateTime = nil
            }
        },
    ]

    static let iFrames = [
        fault("live-news", .trickPlay) { exchange in
            guard exchange.url.hasSuffix("i.m3u8"), exchange.at > 50, exchange.at < 57 else { return }
            exchange.playlist = Stage(kind: .trickPlay).iFrames(media: 450.5)
        },
        fault("live-in-step", .trickPlay) { exchange in
            if exchange.segment != nil { exchange.status = 200 }
            guard exchange.url.hasSuffix("i.m3u8") else { return }
            exchange.playlist = Stage(kind: .trickPlay).iFrames(media: exchange.at + 386.5)
        },
        iFrames("live-same-discontinuities") { $0.discontinuitySequence = 1 },
        iFrames("live-header", from: 50) { $0.isIFramesOnly = false },
        iFrames("live-sequence", from: 50) { $0.mediaSequence -= 100 },
        iFrames("live-removed", from: 50) { $0.mediaSequence += 5 },
        iFrames("live-segment-changed", from: 50) { playlist in
            let index = 220 - playlist.mediaSequence
            if playlist.segments.indices.contains(index) { playlist.segments[index].byteRange?.length = 299 }
        },
        iFrames("live-segment-there") { playlist in
            let index = 231 - playlist.mediaSequence
            if playlist.segments.indices.contains(index) { playlist.segments[index].byteRange?.length = 900 }
        },
        iFrames("live-window-least") { playlist in
            playlist.targetDuration = 12
            playlist.mediaSequence += 1
            playlist.segments.removeFirst(1)
        },
    ]
}
