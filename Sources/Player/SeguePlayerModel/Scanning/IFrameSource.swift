internal import SegueBase
internal import SeguePlaylists

/// The I-frame playlist of a scan (RFC 8216, 4.3.4.3).
struct IFrameSource: Sendable {
    let url: String

    /// Its declared bit rate at normal speed, in bits per second.
    let bandwidth: Int

    /// The variables of the multivariant playlist.
    let variables: [String: String]

    /// The item's timeline, for alignment.
    let beside: SegmentTimeline?
}

extension HLSStreaming {
    /// Cancels requests for media, so that a scan has the bandwidth.
    mutating func rest(_ context: inout StepContext) {
        for index in streams.all.indices where streams.all[index].isLoading {
            streams.meter.giveUp()
            streams.all[index].stop(&context)
        }
    }

    /// Returns the I-frame playlist for a scan: the highest one whose bit rate the bandwidth sustains at this speed, or
    /// the lowest.
    func iFrames(atSpeed speed: Double) -> IFrameSource? {
        guard let choice = switching.variants?.choice else { return nil }
        let all = VariantLadder(choice.playlist.iFrameVariants, source.settings).variants
        let pathway = choice.current?.pathway
        let near = all.filter { $0.pathway == pathway }
        let usable = (near.isEmpty ? all : near).sorted { $0.bandwidth < $1.bandwidth }
        let carried = usable.last { Double($0.bandwidth) * speed <= streams.meter.bitsPerSecond ?? 0 }
        guard let variant = carried ?? usable.first else { return nil }
        return IFrameSource(
            url: choice.address(of: variant),
            bandwidth: variant.bandwidth,
            variables: choice.playlist.variables,
            beside: streams.timeline
        )
    }
}
