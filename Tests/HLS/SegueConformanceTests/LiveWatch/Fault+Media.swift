import SegueBase
import SegueConformance

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

    static let media = [
        Fault(
            rule: "live-segment-whole",
            also: apple.union(["duration-true"]),
            stage: .sampled(from: 50) { _ in MadeParts.part(200, 0) }
        ),
        Fault(rule: "live-media-black", also: apple, stage: .decoded { $0.isBlack = true }),
        Fault(rule: "live-media-frozen", also: apple, stage: .decoded { $0.isFrozen = true }),
        Fault(rule: "live-media-silent", also: apple, stage: .decoded { $0.isSilent = true }),
        fault("live-rate-limited") {
            if $0.playlist != nil, $0.at > 50, $0.at < 52.5 { ($0.status, $0.headers) = (429, ["retry-after": "1"]) }
        },
    ]
}
