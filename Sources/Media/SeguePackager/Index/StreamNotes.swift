internal import SegueBase
internal import SegueFFmpeg

/// Gathers what the index keeps of one stream, packet by packet.
final class StreamNotes {
    /// What is seen of a packet.
    struct Seen {
        var pts: Int64?
        var dts: Int64?
        var duration: Int64
        var position: Int64
        var lead: UInt16 = 0
        var size: Int
        var fingerprint: UInt32 = 0
        var isKey: Bool
        var isDiscarded = false
        var isHidden = false
        var skip = SampleSkip(start: 0, end: 0)
        /// What its header says of its coding; see ``CodingKey``.
        var coding: UInt64?
    }

    /// What has been gathered, wrong times put right.
    var result: StreamIndex {
        var result = stream
        result.mendTimes(ofStrays: strays)
        return result
    }

    private var stream: StreamIndex

    private let hasFingerprints: Bool
    private let limits: (time: Int64, duration: Int64)
    private let keys: KeyPicture?
    private var hasKey = false
    private var lastPosition: Int64 = 0
    /// True if a packet was shown or heard, and whether one was that is not, since then.
    private var (hasShown, isBehindHidden) = (false, false)
    /// Packets with wrong times.
    private var strays: [Range<Int>] = []

    /// Notes for a stream of which nothing was read.
    ///
    /// - Parameters:
    ///   - info: The stream.
    ///   - hasFingerprints: True if packets are to be known again by their bytes.
    init(_ info: StreamInfo, hasFingerprints: Bool) {
        stream = StreamIndex(info: info)
        self.hasFingerprints = hasFingerprints
        keys = KeyPicture(info)
        let ticks = { (seconds: Int64) in (Rational(seconds) / info.timeBase).floored() }
        limits = (min(ticks(StreamNotes.latest), StreamNotes.mostTicks), ticks(3600))
    }

    /// Times beyond this, in seconds, are damage: some sources count from 1900, none from before.
    private static let latest: Int64 = 4_000_000_000
    /// So are they beyond this in the finest units, where sums would not fit.
    private static let mostTicks = Int64(1) << 61

    /// Takes the bytes of the first packet, for notes whose packets come without.
    func begin(with bytes: [UInt8]) { stream.firstPacket = bytes }

    /// Notes a packet.
    ///
    /// - Parameters:
    ///   - packet: The packet, not empty.
    ///   - hasContent: True if its bytes are those of the file.
    ///   - jumps: Puts its times on the file's one timeline.
    func note(_ packet: Packet, hasContent: Bool, jumps: inout JumpDetector) {
        let codec = stream.info.codec
        let number = stream.packets.count
        let extradata = packet.newExtradata
        if let extradata { stream.extradataChanges.append((number, extradata)) }
        if packet.isEncrypted { stream.isEncrypted = true }
        var seen = Seen(
            pts: packet.pts,
            dts: packet.dts,
            duration: packet.duration,
            position: packet.position,
            size: packet.size,
            isKey: packet.isKey,
            isDiscarded: packet.isDiscarded
        )
        if let skip = packet.skippedSamples { seen.skip = SampleSkip(start: skip.start, end: skip.end) }
        if hasContent {
            packet.withBytes { bytes in
                seen.isHidden = HiddenVideo.isHidden(bytes, codec: codec)
                seen.coding = CodingKey.of(bytes, codec: codec, newExtradata: extradata)
                // Containers call frames keyframes that are none, and do not call some so that are.
                guard let keys, !stream.isEncrypted else { return }
                let kind = keys.kind(size: bytes.count) { $0 < bytes.count ? bytes[$0] : nil }
                seen.isKey = seen.isKey ? kind?.isNoKey != true : kind == .access
            }
            let isFirstKey = seen.isKey && !hasKey
            if number == 0 || (stream.info.kind == .video && isFirstKey) { stream.firstPacket = packet.bytes }
        }
        if hasFingerprints { seen.fingerprint = packet.fingerprint }
        append(seen, jumps: &jumps)
    }

    /// Notes what is seen of a packet.
    func append(_ seen: Seen, jumps: inout JumpDetector) {
        let plausible = { (time: Int64, limit: Int64) in time.magnitude <= limit ? time : nil }
        let duration = plausible(seen.duration, limits.duration) ?? 0
        let time = jumps.place(
            pts: seen.pts.flatMap { plausible($0, limits.time) },
            dts: seen.dts.flatMap { plausible($0, limits.time) },
            duration: duration,
            stream: stream.info.index,
            timeBase: stream.info.timeBase,
            isHidden: seen.isDiscarded
        )
        if seen.isDiscarded {
            isBehindHidden = hasShown
        } else {
            hasShown = true
            if isBehindHidden { stream.hasHiddenInside = true }
        }
        let number = stream.packets.count
        if time.strays > 0 { strays.append(max(1, number - time.strays)..<number) }
        if seen.position < lastPosition { stream.hasAscendingPositions = false }
        lastPosition = seen.position
        hasKey = hasKey || seen.isKey
        if seen.skip.start > 0 || seen.skip.end > 0 { stream.skips[number] = seen.skip }
        if let key = seen.coding, key != stream.configurations.last?.key { stream.configurations.append((number, key)) }
        stream.packets.append(
            IndexedPacket(
                rawPTS: seen.pts ?? seen.dts ?? IndexedPacket.unknown,
                pts: time.pts,
                dts: time.dts,
                duration: duration,
                position: seen.position,
                size: Int32(clamping: seen.size),
                fingerprint: seen.fingerprint,
                isKey: seen.isKey,
                isDiscarded: seen.isDiscarded,
                isHidden: seen.isHidden,
                epoch: time.epoch,
                lead: seen.lead
            )
        )
    }
}
