import SegueBase
import SegueConformance
import SeguePlaylists

extension Stage {
    /// A stream whose segments are sampled.
    static func sampled(
        _ kind: Stage.Kind = .plain,
        _ change: @escaping @Sendable (inout Exchange) -> Void = { _ in }
    ) -> Stage {
        var stage = Stage(kind: kind)
        stage.options.media = .sample
        stage.change = change
        return stage
    }

    /// Changes the bytes of the segments that are loaded after an instant.
    static func sampled(from: Double, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]) -> Stage {
        sampled { exchange in
            guard let number = exchange.segment, number > 0, exchange.asked > from, let bytes = exchange.bytes else {
                return
            }
            exchange.bytes = change(bytes)
        }
    }

    /// Segments that decode to the same content.
    fileprivate static func decoded(_ change: (inout DecodedContent) -> Void) -> Stage {
        var stage = sampled()
        var facts = DecodedFacts()
        change(&facts.content)
        stage.decoded = facts
        return stage
    }
}

extension Fault {
    /// The made segments have one keyframe each.
    private static let apple: Set = ["keyframe-interval"]

    /// Variants that declare captions which no sample has.
    private static var declared: Stage {
        .sampled(.pair) { exchange in
            guard var playlist = exchange.multivariant else { return }
            var rendition = MediaRendition(kind: .closedCaptions, group: "cc", name: "en")
            rendition.instreamID = "CC1"
            playlist.renditions = [rendition]
            for index in playlist.variants.indices { playlist.variants[index].closedCaptionsGroup = "cc" }
            exchange.multivariant = playlist
        }
    }

    /// Two variants, one of them quieter.
    private static var uneven: Stage {
        var stage = Stage.sampled(.pair)
        stage.decoded = DecodedFacts()
        stage.loudness = { url, _ in url.hasSuffix("b.m3u8") ? -23 : -16 }
        return stage
    }

    static let media = [
        Fault(
            rule: "live-segment-whole",
            also: apple.union(["duration-true"]),
            stage: .sampled(from: 50) { _ in MadeParts.part(200, 0) }
        ),
        Fault(rule: "live-media-black", also: apple, stage: .decoded { $0.isBlack = true }),
        Fault(rule: "live-media-frozen", also: apple, stage: .decoded { $0.isFrozen = true }),
        Fault(rule: "live-media-silent", also: apple, stage: .decoded { $0.isSilent = true }),
        Fault(rule: "live-captions", also: apple, stage: declared, seconds: 250),
        Fault(rule: "live-loudness", also: apple, stage: uneven, seconds: 130),
        fault("live-ad-break") { AdBreaks(lost: [120]).insert(into: &$0) },
        fault("live-rate-limited") {
            if $0.playlist != nil, $0.at > 50, $0.at < 52.5 { ($0.status, $0.headers) = (429, ["retry-after": "1"]) }
        },
    ]
}
