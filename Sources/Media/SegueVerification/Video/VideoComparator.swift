internal import SegueBase

/// Compares source and delivered frames in decode order.
struct VideoComparator {
    struct Frame: Equatable {
        /// The checksum of its slices.
        var checksum: UInt64
        /// The presentation time in seconds; nil if the container has none.
        var time: Double?
        /// True for a keyframe.
        var isKey = false
        /// True if it is needed only for decoding.
        var isHidden = false
    }

    /// A difference at a position.
    struct Difference: Equatable {
        enum Kind { case missing, repeated, foreign, altered, reordered }
        var kind: Kind
        var count: Int
        /// The presentation time of the first frame: in the source for missing ones, otherwise as delivered.
        var time: Double?
    }

    /// The differences, in order.
    private(set) var differences: [Difference] = []
    /// The number of matched frames.
    private(set) var matched = 0
    /// The number of leading source frames without a preceding keyframe, which cannot be decoded.
    private(set) var undecodable = 0
    /// The delivered frame's number and time offset of each displayed match.
    private(set) var offsets: [(number: Int, offset: Double)] = []

    /// The delivered times of matched frames that the source does not display.
    private(set) var hiddenTimes: [Double] = []

    /// The search range, in frames.
    private static let reach = 1200
    /// The maximum total display time of undisplayed frames, in seconds.
    private static let moment = 0.01

    /// Compares frames in decode order.
    init(source: [Frame], delivered: [Frame]) {
        let firstKey = source.firstIndex { $0.isKey } ?? 0
        var (here, there) = (0, 0)
        // Undecodable frames before the first keyframe may be omitted.
        if let first = delivered.first,
            let place = source.prefix(firstKey + 1).firstIndex(where: { $0.checksum == first.checksum })
        {
            here = place
        } else {
            here = firstKey
        }
        undecodable = here
        let firstShown = source.indices.contains(firstKey) ? source[firstKey].time : nil
        while here < source.count, there < delivered.count {
            if source[here].checksum == delivered[there].checksum {
                match(source[here], delivered[there], number: there)
                (here, there) = (here + 1, there + 1)
                continue
            }
            // Frames displayed before the first keyframe but decoded after it refer to missing ones.
            if let time = source[here].time, let firstShown, time < firstShown, matched < 64 {
                undecodable += 1
                here += 1
                continue
            }
            step(source, delivered: delivered, here: &here, there: &there)
        }
        finish(source[here...], delivered[there...], all: source)
    }

    private mutating func match(_ source: Frame, _ delivered: Frame, number: Int) {
        matched += 1
        guard let from = source.time, let to = delivered.time else { return }
        if source.isHidden {
            hiddenTimes.append(to)
        } else {
            offsets.append((number, to - from))
        }
    }

    /// The number of undisplayed source frames with times outside the displayed range by more than a moment.
    func standing(outside shown: ClosedRange<Double>) -> Int {
        hiddenTimes.count { $0 < shown.lowerBound - Self.moment || $0 > shown.upperBound + Self.moment }
    }

    private mutating func step(_ source: [Frame], delivered: [Frame], here: inout Int, there: inout Int) {
        let (wanted, given) = (source[here].checksum, delivered[there].checksum)
        if here + 1 < source.count, there + 1 < delivered.count, source[here + 1].checksum == given,
            delivered[there + 1].checksum == wanted
        {
            note(.reordered, 2, at: delivered[there].time)
            matched += 2
            (here, there) = (here + 2, there + 2)
            return
        }
        let ahead = (1...Self.reach).first { distance in
            here + distance < source.count && source[here + distance].checksum == given
                || there + distance < delivered.count && delivered[there + distance].checksum == wanted
        }
        guard let ahead else {
            note(.altered, 1, at: delivered[there].time)
            (here, there) = (here + 1, there + 1)
            return
        }
        if here + ahead < source.count, source[here + ahead].checksum == given {
            missing(source[here..<here + ahead])
            here += ahead
        } else {
            extra(delivered[there..<there + ahead], all: source)
            there += ahead
        }
    }

    private mutating func finish(_ source: ArraySlice<Frame>, _ delivered: ArraySlice<Frame>, all: [Frame]) {
        missing(source)
        extra(delivered, all: all)
    }

    private mutating func missing(_ frames: ArraySlice<Frame>) {
        // Frames that are never displayed need not be delivered.
        let shown = frames.filter { !$0.isHidden }
        if !shown.isEmpty { note(.missing, shown.count, at: shown.compactMap(\.time).min()) }
    }

    private mutating func extra(_ frames: ArraySlice<Frame>, all: [Frame]) {
        guard let first = frames.first else { return }
        let known = Set(all.map(\.checksum))
        let again = frames.count { known.contains($0.checksum) }
        if again > 0 { note(.repeated, again, at: first.time) }
        if again < frames.count { note(.foreign, frames.count - again, at: first.time) }
    }

    private mutating func note(_ kind: Difference.Kind, _ count: Int, at time: Double?) {
        if let last = differences.last, last.kind == kind, kind == .altered {
            differences[differences.count - 1].count += count
        } else {
            differences.append(Difference(kind: kind, count: count, time: time))
        }
    }
}
