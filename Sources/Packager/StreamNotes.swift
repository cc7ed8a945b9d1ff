internal import Media
internal import Timeline

/// Gathers what the index keeps of one stream, packet by packet.
final class StreamNotes {
    /// What has been gathered.
    private(set) var stream: StreamIndex

    private let hasFingerprints: Bool
    private let limits: (time: Int64, duration: Int64)
    private var hasKey = false
    private var lastPosition: Int64 = 0

    /// Notes for a stream of which nothing was read.
    ///
    /// - Parameters:
    ///   - info: The stream.
    ///   - hasFingerprints: Whether packets are to be known again by their bytes.
    init(_ info: StreamInfo, hasFingerprints: Bool) {
        stream = StreamIndex(info: info)
        self.hasFingerprints = hasFingerprints
        let ticks = { (seconds: Int64) in (Rational(seconds) / info.timeBase).floored() }
        limits = (ticks(StreamNotes.latest), ticks(3600))
    }

    /// Times beyond this, in seconds, are damage: some sources count from 1900, none from before.
    private static let latest: Int64 = 4_000_000_000

    /// Notes a packet.
    ///
    /// - Parameters:
    ///   - packet: The packet, not empty.
    ///   - hasContent: Whether its bytes are those of the file.
    ///   - jumps: Puts its times on the file's one timeline.
    func note(_ packet: Packet, hasContent: Bool, jumps: inout JumpDetector) {
        let plausible = { (time: Int64, limit: Int64) in time.magnitude <= limit ? time : nil }
        let duration = plausible(packet.duration, limits.duration) ?? 0
        let time = jumps.place(
            pts: packet.pts.flatMap { plausible($0, limits.time) },
            dts: packet.dts.flatMap { plausible($0, limits.time) },
            duration: duration,
            stream: stream.info.index,
            timeBase: stream.info.timeBase
        )
        let number = stream.packets.count
        let isKey = packet.isKey
        if packet.position < lastPosition { stream.hasAscendingPositions = false }
        lastPosition = packet.position
        stream.packets.append(
            IndexedPacket(
                rawPTS: packet.pts ?? packet.dts ?? IndexedPacket.unknown,
                pts: time.pts,
                dts: time.dts,
                duration: duration,
                position: packet.position,
                size: Int32(clamping: packet.size),
                fingerprint: hasFingerprints ? packet.fingerprint : 0,
                isKey: isKey,
                isDiscarded: packet.isDiscarded,
                isHidden: hasContent && packet.withBytes { HiddenPicture.isHidden($0, codec: stream.info.codec) },
                epoch: time.epoch
            )
        )
        if let skip = packet.skippedSamples, skip.start > 0 || skip.end > 0 {
            stream.skips[number] = SampleSkip(start: skip.start, end: skip.end)
        }
        if packet.isEncrypted { stream.isEncrypted = true }
        let extradata = packet.newExtradata
        if let extradata { stream.extradataChanges.append((number, extradata)) }
        let isFirstKey = hasContent && isKey && !hasKey
        hasKey = hasKey || isKey
        if number == 0 || (stream.info.kind == .video && isFirstKey) { stream.firstPacket = packet.bytes }
        guard hasContent else { return }
        let key = packet.withBytes { CodingKey.of($0, codec: stream.info.codec, newExtradata: extradata) }
        if let key, key != stream.configurations.last?.key { stream.configurations.append((number, key)) }
    }
}
