internal import SegueBase
internal import SegueFFmpeg

/// A builder of a stream's index.
final class StreamNotes {
    /// The observed properties of a packet.
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
        /// The coding key in the packet's header; see ``CodingKey``.
        var coding: UInt64?
    }

    /// The index built so far, with repaired timestamps.
    var result: StreamIndex {
        var result = stream
        result.mendTimes(ofStrays: strays)
        return result
    }

    private var stream: StreamIndex

    private let hasFingerprints: Bool
    private let limits: (time: Int64, duration: Int64)
    private let keys: KeyFrame?
    private let parts: PictureParts?
    private let sets: SequenceSets?
    private var lead = LeadingFrames()
    private var hasKey = false
    private var lastPosition: Int64 = 0
    /// True if a displayed packet was seen, and if a hidden one followed.
    private var (hasShown, isBehindHidden) = (false, false)
    private var strays: [Range<Int>] = []

    /// Creates an empty builder; `hasFingerprints` enables recognition by content.
    init(_ info: StreamInfo, hasFingerprints: Bool) {
        stream = StreamIndex(info: info)
        self.hasFingerprints = hasFingerprints
        keys = KeyFrame(info)
        parts = PictureParts(info)
        sets = SequenceSets(info)
        let ticks = { (seconds: Int64) in (Rational(seconds) / info.timeBase).floored() }
        limits = (min(ticks(StreamNotes.latest), StreamNotes.mostTicks), ticks(3600))
    }

    /// Copies the state of another builder.
    init(copying other: StreamNotes) {
        (stream, hasFingerprints, limits) = (other.stream, other.hasFingerprints, other.limits)
        (keys, parts, sets, lead, hasKey) = (other.keys, other.parts, other.sets, other.lead, other.hasKey)
        (lastPosition, hasShown, isBehindHidden) = (other.lastPosition, other.hasShown, other.isBehindHidden)
        strays = other.strays
    }

    /// The packets noted so far.
    var packets: PacketList { stream.packets }

    /// The timestamp limit in seconds, beyond which a time is damage; some sources count from 1900.
    private static let latest: Int64 = 4_000_000_000
    /// The timestamp limit in ticks, beyond which sums would overflow.
    private static let mostTicks = Int64(1) << 61

    /// Sets the first packet's bytes, for a builder whose packets have no content.
    func begin(with bytes: [UInt8]) { stream.firstPacket = bytes }

    /// Adds a nonempty packet and places it on the continuous timeline; `hasContent` is false for substituted zeros.
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
                if let sets {
                    let own = packet.isKey ? sets.key(in: bytes) : nil
                    seen.coding = extradata.flatMap(sets.key(ofExtradata:)) ?? own
                } else {
                    seen.coding = CodingKey.of(bytes, codec: codec, newExtradata: extradata)
                }
                // Containers mark false keyframes and omit real ones.
                guard let keys, !stream.isEncrypted else { return }
                let kind = keys.kind(size: bytes.count) { $0 < bytes.count ? bytes[$0] : nil }
                seen.isKey = seen.isKey ? kind?.isNoKey != true : kind == .access
                let content = parts?.content(size: bytes.count) { $0 < bytes.count ? bytes[$0] : nil }
                note(content, number, isKey: seen.isKey)
            }
            let isFirstKey = seen.isKey && !hasKey
            if number == 0 || (stream.info.kind == .video && isFirstKey) { stream.firstPacket = packet.bytes }
        } else if let extradata {
            seen.coding = sets?.key(ofExtradata: extradata)
        }
        if hasFingerprints { seen.fingerprint = packet.fingerprint }
        append(seen, jumps: &jumps)
    }

    private func note(_ content: PictureParts.Content?, _ number: Int, isKey: Bool) {
        guard let content else { return }
        if case .partial(let kind) = content {
            stream.partial.append(PartialPacket(packet: number, kind: kind))
        } else if lead.isSkipped(content, isKey: isKey) {
            stream.partial.append(PartialPacket(packet: number, kind: .isSkipped))
        }
    }

    /// Adds an observed packet.
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
