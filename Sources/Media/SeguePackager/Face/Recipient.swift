internal import SegueFFmpeg

/// The target of copying and transcoding decisions.
struct Recipient: Sendable {
    let device: DeviceProfile
    /// The only container; nil for ``DeviceProfile/any``, which uses the same tracks in both.
    let container: SegmentContainer?

    /// Selects the container that allows the most copying if none is requested.
    init(device: DeviceProfile, wished: SegmentContainer?, choice: StreamChoice) {
        self.device = device
        guard !device.isAny else {
            container = nil
            return
        }
        container = wished ?? Recipient.container(for: choice, device)
    }

    private static func container(for choice: StreamChoice, _ device: DeviceProfile) -> SegmentContainer? {
        if choice.video?.info.codec == "hevc", device.hevc != nil { return .fmp4 }
        if let film = choice.video?.info, !film.turn.isUpright, device.applies(film.turn), film.codec == "h264",
            device.containers.contains(.fmp4)
        {
            return .fmp4
        }
        if let audio = choice.audio.first, case .success(let coding) = CopiedCoding.of(audio),
            device.obstacle(toCopying: coding, audio.info, in: nil) == nil,
            let preferred = device.audio[coding.audioCodec(audio.info)]?.containers.first
        {
            return preferred
        }
        return device.containers.first
    }

    /// The available containers, in order of preference.
    var containers: [SegmentContainer] { container.map { [$0] } ?? device.containers }

    /// Explains why video cannot be copied; nil if it can.
    func obstacle(toCopying video: VideoTrack, _ index: StreamIndex) -> String? {
        device.obstacle(toCopying: video, index, in: container)
    }

    /// The copied coding of an audio stream, or the reason why it cannot be copied.
    func coding(of stream: StreamIndex) -> Result<CopiedCoding, CopiedCoding.Obstacle> {
        CopiedCoding.of(stream).flatMap { coding in
            device.obstacle(toCopying: coding, stream.info, in: container)
                .map { .failure(CopiedCoding.Obstacle($0)) } ?? .success(coding)
        }
    }
}
