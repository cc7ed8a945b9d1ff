internal import SegueBase
internal import SegueFFmpeg

extension VideoTrack {
    /// By how much of it a rate is greater than the average where frames are not as many everywhere.
    private static let unevenness = Rational(1, 200)
    /// What rates that are measured in two ways may differ by, as a part of them, but for rounded times.
    private static let slack = Rational(1, 2000)

    /// The number of frames count.
    private var shownCount: Int { pts.count - leadingFrames - trailingFrames }

    /// Frames per second over the whole; what the stream says where there is only one.
    var averageFrameRate: Rational? {
        guard shownCount > 1, lastShown > firstShown else {
            let length = end - start
            return stream.averageFrameRate ?? (length > .zero ? Rational(1) / length : nil)
        }
        let length = Rational(lastShown - firstShown, timescale)
        return said(Rational(Int64(shownCount - 1)) / length, over: length)
    }

    /// Frames per second where they are the most, over a second: the average where they are as many everywhere.
    var greatestFrameRate: Rational? {
        guard let average = averageFrameRate else { return nil }
        let isUneven = { (rate: Rational?, usual: Rational) in
            rate.map { $0 > usual * (Rational(1) + Self.unevenness) } ?? false
        }
        // Decode times need no sorting. They have gaps of their own, so only those of showing tell how many it is.
        guard isUneven(Self.most(dts, timescale), average) else { return average }
        let shown = seen
        guard let found = Self.most(shown, timescale), let first = shown.first, let last = shown.last else {
            return average
        }
        let length = Rational(last - first, timescale)
        let usual = Rational(Int64(shown.count - 1)) / length
        return isUneven(found, usual) ? said(found, over: min(length, Rational(1))) : said(usual, over: length)
    }

    /// The rate that the stream says where it is one that was measured, over so many seconds.
    private func said(_ rate: Rational, over length: Rational) -> Rational {
        // Both ends of what was measured may be rounded.
        let slack = rate * (Self.slack + Rational(2) * stream.timeBase / length)
        return [stream.averageFrameRate, stream.realFrameRate].compactMap { $0 }
            .first { ($0 - rate).magnitude < slack } ?? rate
    }

    /// When frames are shown that are there for more than a moment, in order.
    private var seen: [Int64] {
        let shown = pts.filter { (firstShown...lastShown).contains($0) }.sorted()
        return zip(shown, shown.dropFirst()).filter { $1 - $0 > timescale / 1000 }.map(\.0) + shown.suffix(1)
    }

    /// The maximum rate within a second; over all times where they are less than that.
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
    /// The distance from nothing.
    var magnitude: Rational { self < .zero ? -self : self }
}
