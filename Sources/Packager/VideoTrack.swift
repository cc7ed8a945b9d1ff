internal import Media
internal import Timeline

/// The pictures of a file that are copied, each with its exact place in time.
struct VideoTrack: Sendable {
    /// The stream in the source.
    let stream: StreamInfo
    /// Units a second of all times in here; times count from the source's time 0.
    let timescale: Int64
    /// The number, in the index, of the first packet that is delivered.
    let firstPacket: Int
    /// Presentation times of the delivered packets, in the order of decoding.
    let pts: [Int64]
    /// Decode times, ascending and never after the presentation.
    let dts: [Int64]
    /// How long the last picture lasts.
    let lastDuration: Int64
    /// Places (among the delivered packets) where decoding can begin.
    let keys: [Int]
    /// Epochs of the delivered packets at the keys.
    let keyEpochs: [Int32]
    /// Pictures at the start that are decoded only for others.
    let leadingFrames: Int

    /// When the first picture that counts is shown.
    var start: Rational {
        Rational(pts[leadingFrames...].min() ?? pts.min() ?? 0, timescale)
    }

    /// When the last picture ends.
    var end: Rational { Rational((pts.max() ?? 0) + lastDuration, timescale) }

    /// The earliest time that any packet carries, decode times included.
    var earliest: Rational { Rational(min(dts.first ?? 0, pts.min() ?? 0), timescale) }

    /// For every key, the least presentation time from it on: where a segment that begins with it begins.
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
        range.upperBound < dts.count ? dts[range.upperBound] : (dts.last ?? 0) + lastDuration
    }
}

extension VideoTrack {
    /// Places the packets of a stream in time.
    ///
    /// - Throws: ``PackagingError`` when they cannot be copied.
    init(_ index: StreamIndex, file: String) throws(PackagingError) {
        stream = index.info
        guard let first = index.packets.firstIndex(where: \.isKey) else {
            throw PackagingError(.sparseKeyframes, file: file, "the video has no keyframe")
        }
        let lastShown = index.packets.lastIndex { !$0.isDiscarded } ?? index.packets.count - 1
        guard first <= lastShown else {
            throw PackagingError(.nothingPlayable, file: file, "the video has no picture that is shown")
        }
        firstPacket = first
        let packets = Array(index.packets[first...lastShown])
        let leading = packets.prefix { $0.isDiscarded }.count
        guard !packets.dropFirst(leading).contains(where: \.isDiscarded) else {
            throw PackagingError(
                .videoNeedsTranscoding(codec: index.info.codec),
                file: file,
                "its edit list shows parts that do not begin with a keyframe, so the video would have to be transcoded"
            )
        }
        leadingFrames = leading
        let base = index.info.timeBase
        let scale = VideoTrack.timescale(for: base)
        let ticks = (base * Rational(scale)).numerator
        timescale = scale
        let frame = VideoTrack.typicalDuration(index.info, packets, ticks: ticks, scale: scale)
        let times = VideoTrack.times(packets, ticks: ticks, frame: frame)
        pts = times.pts
        dts = times.dts
        let lastPlace = times.pts.indices.max { times.pts[$0] < times.pts[$1] } ?? 0
        let said = packets[lastPlace].duration * ticks
        lastDuration = said > 0 && said < 10 * scale ? said : frame
        keys = packets.indices.filter { packets[$0].isKey }
        keyEpochs = keys.map { packets[$0].epoch }
    }

    /// A time scale that holds the stream's own times exactly, and is fine enough for the eye of a millisecond.
    private static func timescale(for base: Rational) -> Int64 {
        if 90000 % base.denominator == 0 { return 90000 }
        guard base.denominator < 50000 else { return base.denominator <= Int64(Int32.max) ? base.denominator : 90000 }
        return base.denominator * (50000 / base.denominator + 1)
    }

    private static func typicalDuration(
        _ info: StreamInfo,
        _ packets: [IndexedPacket],
        ticks: Int64,
        scale: Int64
    ) -> Int64 {
        let said = packets.prefix(64).map(\.duration).filter { $0 > 0 }.sorted()
        if let middle = said.isEmpty ? nil : said[said.count / 2] { return middle * ticks }
        guard let rate = info.averageFrameRate ?? info.realFrameRate, rate > .zero else { return scale / 25 }
        return max(1, (Rational(1) / rate).rounded(scale: scale))
    }

    private static func times(
        _ packets: [IndexedPacket],
        ticks: Int64,
        frame: Int64
    ) -> (pts: [Int64], dts: [Int64]) {
        var pts: [Int64] = []
        var dts: [Int64] = []
        pts.reserveCapacity(packets.count)
        dts.reserveCapacity(packets.count)
        for packet in packets {
            let expected = dts.last.map { $0 + frame }
            let known = packet.dts != IndexedPacket.unknown ? packet.dts * ticks : nil
            let shown = packet.pts != IndexedPacket.unknown ? packet.pts * ticks : nil
            let decoded = max(known ?? expected ?? shown ?? 0, (dts.last ?? Int64.min / 2) + 1)
            dts.append(decoded)
            pts.append(shown ?? known ?? expected ?? 0)
        }
        let lag = zip(dts, pts).map { $0 - $1 }.max() ?? 0
        if lag > 0 { for place in dts.indices { dts[place] -= lag } }
        return (pts, dts)
    }
}
