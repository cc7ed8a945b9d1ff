internal import SegueBase
internal import SegueFFmpeg

// Size: a track has the properties that plans, segments, and descriptions read, and each source creates all of them.
/// A delivered video track: frames with exact times.
struct VideoTrack: Sendable {
    /// The source of frames.
    enum Source: Sendable {
        /// Copied packets from ``firstPacket`` on, in decode order.
        case copied
        /// Transcoded frames, in display order without reordering.
        case transcoded(TranscodedVideo)
        /// Cover art; every segment holds the same coded frames.
        case still(StillImage)
    }

    let source: Source
    let stream: StreamInfo
    /// The delivered codec configuration.
    let configuration: VideoConfiguration
    /// The unit of all times, per second; times count from the source's time 0.
    let timescale: Int64
    /// The number of the first delivered packet in the index.
    let firstPacket: Int
    /// The Dolby Vision configuration to declare; nil if the base layer is delivered alone.
    var dolbyVision: DolbyVision?
    /// The packets of each frame, if some packets are no frames of their own.
    let joined: JoinedPackets?
    /// The presentation times of delivered packets, in decode order.
    let pts: TimeList
    /// The decode times, ascending and never after the presentation times.
    let dts: TimeList
    /// The last frame's duration.
    let lastDuration: Int64
    /// The numbers of keyframes among the delivered packets.
    let keys: [Int]
    /// The epochs at the keyframes.
    let keyEpochs: [Int32]
    /// The keyframes at which the source changes its parameter sets.
    let changedKeys: Set<Int>
    /// The number of leading frames needed only for decoding.
    let leadingFrames: Int
    /// The number of trailing frames needed only for decoding.
    let trailingFrames: Int
    /// The presentation time of the first displayed frame.
    let firstShown: Int64
    /// The presentation time of the last displayed frame.
    let lastShown: Int64

    /// The presentation time of the first displayed frame, in seconds.
    var start: Rational { Rational(firstShown, timescale) }

    /// The end of the last frame, in seconds.
    var end: Rational { Rational(lastShown + lastDuration, timescale) }

    /// The earliest presentation or decode time.
    var earliest: Rational { Rational(min(dts.first ?? 0, pts.min() ?? 0), timescale) }

    /// The start of a segment beginning at each keyframe: the minimum presentation time from there on.
    var cutTimes: [Int64] {
        var result = [Int64](repeating: 0, count: keys.count)
        var least = Int64.max
        var key = keys.count - 1
        for place in stride(from: pts.count - 1, through: 0, by: -1) {
            least = min(least, pts[place])
            if key >= 0, keys[key] == place {
                result[key] = least
                key -= 1
            }
        }
        return result
    }

    /// The packets of a range of copied frames.
    func packets(of range: Range<Int>) -> Range<Int> {
        guard let joined else { return range.lowerBound + firstPacket..<range.upperBound + firstPacket }
        return joined.starts[range.lowerBound]..<joined.starts[range.upperBound]
    }

    /// The frame of a copied packet; nil if it is not delivered.
    func place(ofPacket number: Int) -> Int? {
        joined.map { $0.place(ofPacket: number) } ?? number - firstPacket
    }

    /// The decode time of the packet after a range.
    func decodeEnd(of range: Range<Int>) -> Int64 {
        // The last undisplayed frame lasts one tick, like the others.
        range.upperBound < dts.count ? dts[range.upperBound] : (dts.last ?? 0) + (trailingFrames > 0 ? 1 : lastDuration)
    }
}

extension VideoTrack {
    /// Places a stream's packets in time.
    init(_ index: StreamIndex, file: String) throws(PackagingError) {
        source = .copied
        stream = index.info
        configuration = VideoConfiguration(index)
        guard configuration.codec != .h264 || configuration.codecString != nil else {
            throw PackagingError(
                .videoNeedsTranscoding(codec: index.info.codec),
                file: file,
                "the parameter sets are invalid"
            )
        }
        guard let first = VideoTrack.firstPacket(index) else {
            throw PackagingError(.sparseKeyframes, file: file, "the video has no keyframe")
        }
        let lastKept = index.packets.lastIndex { !$0.isDiscarded } ?? index.packets.count - 1
        guard first <= lastKept else {
            throw PackagingError(.nothingPlayable, file: file, "the video has no displayed frame")
        }
        firstPacket = first
        let base = index.info.timeBase
        let scale = VideoTrack.timescale(for: base)
        let ticks = (base * Rational(scale)).numerator
        timescale = scale
        joined = JoinedPackets(index.partial, first...lastKept)
        let kept = index.packets[first...lastKept]
        let typical = VideoTrack.typicalDuration(index.info, kept, ticks: ticks, scale: scale)
        let places = Places(index.packets, first...lastKept, joined: joined, ticks: ticks, frame: typical)
        // The durations of partial packets belong to their frames.
        let frame = joined == nil ? typical : places.typicalStep ?? typical
        (firstShown, lastShown) = (places.firstShown ?? 0, places.lastShown ?? 0)
        leadingFrames = places.uncounted.count { $0 < places.firstShown ?? 0 }
        trailingFrames = places.uncounted.count { $0 > places.lastShown ?? 0 }
        guard leadingFrames + trailingFrames == places.uncounted.count else {
            throw PackagingError(
                .videoNeedsTranscoding(codec: index.info.codec),
                file: file,
                "the edit list has parts that do not begin with a keyframe"
            )
        }
        let said = index.packets[first + places.lastPlace].duration * ticks
        lastDuration = joined == nil && said > 0 && said < 10 * scale ? said : frame
        if places.uncounted.isEmpty {
            pts = places.pts
            dts = places.isOrderly ? places.dts : TimeList(VideoTrack.decodeTimes(for: Array(places.pts)))
        } else {
            let end = lastShown + lastDuration
            let times = VideoTrack.gathered(Array(places.pts), outside: firstShown...lastShown, end: end)
            (pts, dts) = (TimeList(times), TimeList(VideoTrack.decodeTimes(for: times)))
        }
        keys = places.keys
        keyEpochs = places.keyEpochs
        let changes = Set(index.extradataChanges.map(\.packet))
        changedKeys = Set(
            keys.indices.filter { [first, joined, keys] in
                changes.contains(joined?.pictures[keys[$0]] ?? keys[$0] + first)
            }
        )
    }

    /// The first delivered packet: a keyframe or what precedes it in its own packets; nil without a keyframe.
    private static func firstPacket(_ index: StreamIndex) -> Int? {
        guard !index.partial.isEmpty else { return index.packets.firstIndex(where: \.isKey) }
        let partial = Dictionary(index.partial.map { ($0.packet, $0.kind) }, uniquingKeysWith: { $1 })
        var (start, isKey) = (nil as Int?, false)
        for (number, packet) in index.packets.enumerated() {
            isKey = isKey || packet.isKey
            if partial[number] == .joinsNext {
                start = start ?? number
            } else if partial[number] == nil {
                if isKey { return start ?? number }
                (start, isKey) = (nil, false)
            }
        }
        return nil
    }

    /// A time scale that represents the stream's times exactly and is fine enough for a millisecond.
    static func timescale(for base: Rational) -> Int64 {
        if 90000 % base.denominator == 0 { return 90000 }
        guard base.denominator < 50000 else { return base.denominator <= Int64(Int32.max) ? base.denominator : 90000 }
        return base.denominator * (50000 / base.denominator + 1)
    }

    /// The default frame duration, from other frames, the declared rate, or the average.
    static func typicalDuration(
        _ info: StreamInfo,
        _ packets: some Collection<IndexedPacket>,
        ticks: Int64,
        scale: Int64
    ) -> Int64 {
        let said = packets.prefix(64).map(\.duration).filter { $0 > 0 }.sorted()
        if let middle = said.isEmpty ? nil : said[said.count / 2] { return middle * ticks }
        // A container's millisecond clock is not a frame rate.
        let rates = [info.averageFrameRate, info.realFrameRate].compactMap { $0 }
        if let rate = rates.first(where: { $0 > .zero && $0 < Rational(1000) }) {
            return max(1, (Rational(1) / rate).rounded(scale: scale))
        }
        let times = packets.lazy.map(\.pts).filter { $0 != IndexedPacket.unknown }
        guard packets.count > 1, let first = times.min(), let last = times.max(), last > first else {
            return scale / 25
        }
        return max(1, Rational(last - first, Int64(packets.count - 1)).rounded(scale: ticks))
    }

    /// Moves presentation times outside the displayed range directly before its start or its end.
    ///
    /// Those frames are delivered because others need them. A player that cannot skip them displays each for one tick.
    private static func gathered(_ pts: [Int64], outside shown: ClosedRange<Int64>, end: Int64) -> [Int64] {
        var result = pts
        let put = { (result: inout [Int64], places: [Int], end: Int64) in
            for (place, number) in places.sorted(by: { pts[$0] < pts[$1] }).enumerated() {
                result[number] = end - Int64(places.count - place)
            }
        }
        put(&result, pts.indices.filter { pts[$0] < shown.lowerBound }, shown.lowerBound)
        put(&result, pts.indices.filter { pts[$0] > shown.upperBound }, end)
        return result
    }

    /// Derives decode times: sorted presentation times, moved earlier until none is late.
    private static func decodeTimes(for pts: [Int64]) -> [Int64] {
        var dts = pts.sorted()
        for place in dts.indices.dropFirst() { dts[place] = max(dts[place], dts[place - 1] + 1) }
        let lag = zip(dts, pts).map { $0 - $1 }.max() ?? 0
        return dts.map { $0 - max(0, lag) }
    }
}

/// The times of a stream's frames, found in one pass.
private struct Places {
    var pts = TimeList()
    var dts = TimeList()
    /// True if the container's decode times are usable.
    var isOrderly = true
    var keys: [Int] = []
    var keyEpochs: [Int32] = []
    /// The presentation times of the first and the last displayed frame.
    var firstShown: Int64?
    var lastShown: Int64?
    /// The number of the last displayed frame; the first frame if none is displayed.
    var lastPlace = 0
    /// The presentation times of undisplayed frames.
    var uncounted: [Int64] = []

    init(_ packets: PacketList, _ range: ClosedRange<Int>, joined: JoinedPackets?, ticks: Int64, frame: Int64) {
        var next = joined?.pictures.makeIterator()
        var picture = next?.next()
        // The mark of a keyframe may be on what precedes it.
        var (number, isKey) = (range.lowerBound - 1, false)
        var last: (pts: Int64, dts: Int64)?
        for packet in packets.run(range.lowerBound..<range.upperBound + 1) {
            number += 1
            isKey = isKey || packet.isKey
            if joined != nil {
                guard number == picture else { continue }
                picture = next?.next()
            }
            let decoded = packet.dts != IndexedPacket.unknown ? packet.dts * ticks : nil
            let shown = packet.pts != IndexedPacket.unknown ? packet.pts * ticks : nil
            let place = pts.count
            let time = (pts: shown ?? decoded ?? last.map { $0.pts + frame } ?? 0, dts: decoded ?? 0)
            pts.append(time.pts)
            dts.append(time.dts)
            if decoded == nil || time.dts <= last?.dts ?? .min || time.dts > time.pts { isOrderly = false }
            if packet.isDiscarded {
                uncounted.append(time.pts)
            } else {
                firstShown = min(firstShown ?? .max, time.pts)
                if time.pts > lastShown ?? .min { (lastShown, lastPlace) = (time.pts, place) }
            }
            if isKey {
                keys.append(place)
                keyEpochs.append(packet.epoch)
            }
            last = time
            isKey = false
        }
    }

    /// The middle step between decode times, in track units; nil for a single frame.
    var typicalStep: Int64? {
        let steps = zip(dts.dropFirst(), dts).prefix(256).map { $0 - $1 }.filter { $0 > 0 }.sorted()
        return steps.isEmpty ? nil : steps[steps.count / 2]
    }
}
