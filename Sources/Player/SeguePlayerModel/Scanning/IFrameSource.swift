internal import SegueBase
internal import SeguePlaylists

/// The playlist of I-frames that a scan shows (RFC 8216, 4.3.4.3).
struct IFrameSource: Sendable {
    /// Where it is.
    let url: String

    /// What it may take at normal speed, in bits per second.
    let bandwidth: Int

    /// The variables of the multivariant playlist.
    let variables: [String: String]

    /// The item's timeline, beside which it is laid.
    let beside: SegmentTimeline?
}

extension HLSStreaming {
    /// Leaves the line to a scan.
    mutating func rest(_ turn: inout Turn) {
        for index in streams.all.indices where streams.all[index].isLoading {
            meter.giveUp()
            streams.all[index].stop(&turn)
        }
    }

    /// The playlist of I-frames for a scan: the best one that the line carries so many times as fast, else the least.
    func iFrames(atSpeed speed: Double) -> IFrameSource? {
        guard let choice = variants?.choice else { return nil }
        let all = VariantLadder(choice.playlist.iFrameVariants, source.settings).variants
        let pathway = choice.current?.pathway
        let near = all.filter { $0.pathway == pathway }
        let usable = (near.isEmpty ? all : near).sorted { $0.bandwidth < $1.bandwidth }
        let carried = usable.last { Double($0.bandwidth) * speed <= meter.bitsPerSecond ?? 0 }
        guard let variant = carried ?? usable.first else { return nil }
        return IFrameSource(
            url: choice.address(of: variant),
            bandwidth: variant.bandwidth,
            variables: choice.playlist.variables,
            beside: streams.timeline
        )
    }
}
