internal import SegueBase
internal import SegueFFmpeg

/// The frame rates of a video track.
struct VideoFrameRates {
    private let track: VideoTrack

    init(_ track: VideoTrack) { self.track = track }

    /// The relative excess over the average above which a frame rate is uneven.
    private static let unevenness = Rational(1, 200)
    /// The relative tolerance between two measured rates, apart from rounded times.
    private static let slack = Rational(1, 2000)

    /// The number of displayed frames.
    private var shownCount: Int { track.pts.count - track.leadingFrames - track.trailingFrames }

    /// The average frame rate; the declared one for a single frame.
    var average: Rational? {
        guard shownCount > 1, track.lastShown > track.firstShown else {
            let length = track.end - track.start
            return track.stream.averageFrameRate ?? (length > .zero ? Rational(1) / length : nil)
        }
        let length = Rational(track.lastShown - track.firstShown, track.timescale)
        return said(Rational(Int64(shownCount - 1)) / length, over: length)
    }

    /// The maximum frame rate over one second; the average if frames are evenly spaced.
    var greatest: Rational? {
        guard let average else { return nil }
        let isUneven = { (rate: Rational?, usual: Rational) in
            rate.map { $0 > usual * (Rational(1) + Self.unevenness) } ?? false
        }
        // Decode times need no sorting but have gaps, so only presentation times give the exact rate.
        guard isUneven(Self.most(track.dts, track.timescale), average) else { return average }
        let shown = seen
        guard let found = Self.most(shown, track.timescale), let first = shown.first, let last = shown.last else {
            return average
        }
        let length = Rational(last - first, track.timescale)
        let usual = Rational(Int64(shown.count - 1)) / length
        return isUneven(found, usual) ? said(found, over: min(length, Rational(1))) : said(usual, over: length)
    }

    /// The declared rate if it matches a measured one over a duration.
    private func said(_ rate: Rational, over length: Rational) -> Rational {
        // Both ends of the measurement may be rounded.
        let slack = rate * (Self.slack + Rational(2) * track.stream.timeBase / length)
        return [track.stream.averageFrameRate, track.stream.realFrameRate].compactMap { $0 }
            .first { ($0 - rate).magnitude < slack } ?? rate
    }

    /// The presentation times of frames displayed for more than a moment, in order.
    private var seen: [Int64] {
        let shown = track.pts.filter { (track.firstShown...track.lastShown).contains($0) }.sorted()
        return zip(shown, shown.dropFirst()).filter { $1 - $0 > track.timescale / 1000 }.map(\.0) + shown.suffix(1)
    }

    /// The maximum rate within one second, or over all times if they are shorter.
    private static func most(_ times: some RandomAccessCollection<Int64>, _ timescale: Int64) -> Rational? {
        guard let first = times.first, let last = times.last, last > first else { return nil }
        let window = min(timescale, last - first)
        var result = Rational.zero
        var (start, startTime) = (times.startIndex, first)
        var behind = 0
        for time in times.dropFirst() {
            behind += 1
            guard time - startTime >= window else { continue }
            result = max(result, Rational(Int64(behind)) / Rational(time - startTime, timescale))
            while time - startTime >= window {
                start = times.index(after: start)
                startTime = times[start]
                behind -= 1
            }
        }
        return result > .zero ? result : nil
    }
}

extension Rational {
    /// The absolute value.
    var magnitude: Rational { self < .zero ? -self : self }
}
