import SegueBase
import SeguePlaylists

/// Faults in responses to blocking reloads, and in delta updates.
extension Fault {
    static let blocking = [
        fault("live-block-answer", .lowLatency) {
            guard $0.blocks, !$0.query.contains("part"), $0.status == 200 else { return }
            $0.playlist = Stage(kind: .lowLatency).playlist("a", media: $0.at + 396.5)
        },
        fault("live-delta-boundary", .lowLatency) {
            guard $0.query.contains("_HLS_skip") else { return }
            let whole = Stage(kind: .lowLatency).playlist("a", media: $0.at + 400.5)
            $0.playlist = whole.delta(skipping: whole.segments.count - 4)
        },
        fault("live-block-answer", .lowLatency, also: ["live-stall"]) {
            guard $0.blocks, $0.at > 50, $0.at < 52, $0.status == 200 else { return }
            $0.playlist = Stage(kind: .lowLatency).playlist("a", media: $0.at + 399.5)
        },
        fault("live-block-end", .lowLatency, also: ["live-stall"]) {
            guard $0.blocks, $0.at > 50, $0.at < 51.5 else { return }
            ($0.failure, $0.delay) = ("nothing came for 17 s", 17)
        },
        fault("live-block-ahead", .lowLatency) { if $0.blocks, $0.status == 400 { $0.status = 200 } },
        fault("live-block-part", .lowLatency) { if $0.query == "_HLS_part=0" { $0.status = 200 } },
        fault("live-block-past", .lowLatency) {
            if $0.blocks, !$0.query.contains("part"), $0.status == 200 { $0.delay = 3 }
        },
        fault("live-delta", .lowLatency) {
            guard $0.at > 20, $0.playlist?.skip != nil else { return }
            $0.playlist?.segments[1].duration = Rational(39, 10)
        },
        fault("live-delta", .lowLatency) {
            guard $0.at > 20, $0.playlist?.skip != nil else { return }
            $0.playlist?.skip?.segments += 50
        },
        fault("live-delta-given", .lowLatency) {
            guard $0.query.contains("_HLS_skip") else { return }
            $0.playlist = Stage(kind: .lowLatency).playlist("a", media: $0.at + 400.5)
        },
    ]
}
