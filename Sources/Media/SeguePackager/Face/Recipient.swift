internal import SegueFFmpeg

/// Whom a file is opened for, and in which container: what copying and transcoding are decided by.
struct Recipient: Sendable {
    /// The device.
    let device: DeviceProfile
    /// The one container that segments are made in; nil for ``DeviceProfile/any``, which takes the same in both.
    let container: SegmentContainer?

    /// Chooses the container in which most can be copied, where none is requested.
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
        if let sound = choice.audio.first, case .success(let coding) = CopiedCoding.of(sound),
            device.obstacle(toCopying: coding, sound.info, in: nil) == nil,
            let preferred = device.sound[coding.soundCodec(sound.info)]?.containers.first
        {
            return preferred
        }
        return device.containers.first
    }

    /// The containers that segments can be asked for in, the preferred one first.
    var containers: [SegmentContainer] { container.map { [$0] } ?? device.containers }

    /// Why frames cannot be copied; nil when they can.
    func obstacle(toCopying video: VideoTrack, _ index: StreamIndex) -> String? {
        device.obstacle(toCopying: video, index, in: container)
    }

    /// How a stream of audio is copied, or why it cannot be.
    func coding(of stream: StreamIndex) -> Result<CopiedCoding, CopiedCoding.Obstacle> {
        CopiedCoding.of(stream).flatMap { coding in
            device.obstacle(toCopying: coding, stream.info, in: container)
                .map { .failure(CopiedCoding.Obstacle($0)) } ?? .success(coding)
        }
    }
}
