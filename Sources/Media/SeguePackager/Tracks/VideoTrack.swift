internal import SegueBase
internal import SegueFFmpeg

/// The frames of a film as they are delivered, each with its exact place in time.
struct VideoTrack: Sendable {
    /// How the frames get into segments.
    enum Source: Sendable {
        /// Coded as they are; delivered packets are the index's from ``firstPacket`` on, in the order of decoding.
        case copied
        /// Decoded and transcoded, in the order of showing; nothing has to be decoded before it is shown.
        case transcoded(TranscodedVideo)
        /// Cover art; every segment holds the same coded frames, from the first on.
        case still(StillImage)
    }

    /// How the frames get into segments.
    let source: Source
    /// The stream in the source.
    let stream: StreamInfo
    /// What the delivered parameter sets say.
    let configuration: VideoConfiguration
    /// Units a second of all times in here; times count from the source's time 0.
    let timescale: Int64
    /// The number, in the index, of the first packet that is delivered.
    let firstPacket: Int
    /// Presentation times of the delivered packets, in the order of decoding.
    let pts: TimeList
    /// Decode times, ascending and never after the presentation.
    let dts: TimeList
    /// How long the last frame lasts.
    let lastDuration: Int64
    /// Places (among the delivered packets) where decoding can begin.
    let keys: [Int]
    /// Epochs of the delivered packets at the keys.
    let keyEpochs: [Int32]
    /// Keys at which the source changes its parameter sets.
    let changedKeys: Set<Int>
    /// Frames before the first that counts, in the order of showing, which are decoded only for others.
    let leadingFrames: Int
    /// Frames after the last that counts, which are decoded only for others.
    let trailingFrames: Int
    /// When the first frame that counts is shown.
    let firstShown: Int64
    /// When the last frame that counts is shown.
    let lastShown: Int64

    /// When the first frame that counts is shown.
    var start: Rational { Rational(firstShown, timescale) }

    /// When the last frame ends.
    var end: Rational { Rational(lastShown + lastDuration, timescale) }

    /// The earliest time that any packet carries, decode times included.
    var earliest: Rational { Rational(min(dts.first ?? 0, pts.min() ?? 0), timescale) }

    /// For every key, the minimum presentation time from it on: where a segment that begins with it begins.
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

    /// When the packet after the last of a range is decoded: the end of the range's durations.
    func decodeEnd(of range: Range<Int>) -> Int64 {
        // The last of those that do not count lasts a tick like the others.
        range.upperBound < dts.count ? dts[range.upperBound] : (dts.last ?? 0) + (trailingFrames > 0 ? 1 : lastDuration)
    }
}

extension VideoTrack {
    /// Places the packets of a stream in time.
    init(_ index: StreamIndex, file: String) throws(PackagingError) {
        source = .copied
        stream = index.info
        configuration = VideoConfiguration(index)
        guard configuration.codec != .h264 || configuration.codecString != nil else {
            throw PackagingError(
                .videoNeedsTranscoding(codec: index.info.codec),
                file: file,
                "its parameter sets cannot be read"
            )
        }
        guard let first = index.packets.firstIndex(where: \.isKey) else {
            throw PackagingError(.sparseKeyframes, file: file, "the video has no keyframe")
        }
        let lastKept = index.packets.lastIndex { !$0.isDiscarded } ?? index.packets.count - 1
        guard first <= lastKept else {
            throw PackagingError(.nothingPlayable, file: file, "the video has no picture that is shown")
        }
        firstPacket = first
        let base = index.info.timeBase
        let scale = VideoTrack.timescale(for: base)
        let ticks = (base * Rational(scale)).numerator
        timescale = scale
        let frame = VideoTrack.typicalDuration(index.info, index.packets[first...lastKept], ticks: ticks, scale: scale)
        let places = Places(index.packets, first...lastKept, ticks: ticks, frame: frame)
        (firstShown, lastShown) = (places.firstShown ?? 0, places.lastShown ?? 0)
        leadingFrames = places.uncounted.count { $0 < places.firstShown ?? 0 }
        trailingFrames = places.uncounted.count { $0 > places.lastShown ?? 0 }
        guard leadingFrames + trailingFrames == places.uncounted.count else {
            throw PackagingError(
                .videoNeedsTranscoding(codec: index.info.codec),
                file: file,
                "its edit list shows parts that do not begin with a keyframe"
            )
        }
        let said = index.packets[first + places.lastPlace].duration * ticks
        lastDuration = said > 0 && said < 10 * scale ? said : frame
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
        changedKeys = Set(keys.indices.filter { [first, keys] in changes.contains(keys[$0] + first) })
    }

    /// A time scale that holds the stream's own times exactly, and is fine enough for the eye of a millisecond.
    static func timescale(for base: Rational) -> Int64 {
        if 90000 % base.denominator == 0 { return 90000 }
        guard base.denominator < 50000 else { return base.denominator <= Int64(Int32.max) ? base.denominator : 90000 }
        return base.denominator * (50000 / base.denominator + 1)
    }

    /// How long a frame lasts where its packet does not say it: as long as others, or by the rate, or on average.
    static func typicalDuration(
        _ info: StreamInfo,
        _ packets: some Collection<IndexedPacket>,
        ticks: Int64,
        scale: Int64
    ) -> Int64 {
        let said = packets.prefix(64).map(\.duration).filter { $0 > 0 }.sorted()
        if let middle = said.isEmpty ? nil : said[said.count / 2] { return middle * ticks }
        // A container's clock of a thousandth of a second is no rate of frames.
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

    /// Times of showing, those before the first that counts right before it, those after the last right before its end.
    ///
    /// Such frames have to be delivered for the sake of others. What cannot leave them out shows each for a tick.
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

    /// Decode times for frames whose container gives none that can be used: the times of showing in ascending order, as
    /// much earlier as it takes for none to be late.
    private static func decodeTimes(for pts: [Int64]) -> [Int64] {
        var dts = pts.sorted()
        for place in dts.indices.dropFirst() { dts[place] = max(dts[place], dts[place - 1] + 1) }
        let lag = zip(dts, pts).map { $0 - $1 }.max() ?? 0
        return dts.map { $0 - max(0, lag) }
    }
}

/// Where the frames of a stream are in time, found in one go.
private struct Places {
    var pts = TimeList()
    var dts = TimeList()
    /// True if the container's decode times can be used.
    var isOrderly = true
    var keys: [Int] = []
    var keyEpochs: [Int32] = []
    /// When the first and the last frame that counts are shown.
    var firstShown: Int64?
    var lastShown: Int64?
    /// Which frame is the one that is shown last; the first where none counts.
    var lastPlace = 0
    /// When frames would be shown that are decoded only for others.
    var uncounted: [Int64] = []

    init(_ packets: PacketList, _ range: ClosedRange<Int>, ticks: Int64, frame: Int64) {
        var last: (pts: Int64, dts: Int64)?
        for packet in packets.run(range.lowerBound..<range.upperBound + 1) {
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
            if packet.isKey {
                keys.append(place)
                keyEpochs.append(packet.epoch)
            }
            last = time
        }
    }
}
