internal import SegueBase

/// The mapping from times to byte ranges of a file.
package struct ByteMap: Sendable, Equatable {
    /// A point with a known time and offset.
    ///
    /// Time between two points is interpolated.
    package struct Point: Sendable, Equatable {
        package let time: Duration
        /// The first byte.
        package let offset: Int64

        /// Creates a point of the map.
        package init(time: Duration, offset: Int64) {
            self.time = time
            self.offset = offset
        }
    }

    /// A time range of one track with its bytes.
    struct Piece: Sendable, Equatable {
        let start: Duration
        var bytes: Range<Int64>
    }

    /// The pieces of one track in order of time.
    private struct Track: Sendable, Equatable {
        let starts: [Duration]
        /// The minimum offset from each piece on.
        let firsts: [Int64]
        /// The maximum end up to each piece.
        let ends: [Int64]

        init(_ pieces: [Piece]) {
            starts = pieces.map(\.start)
            var first = Int64.max
            firsts = pieces.reversed().map { piece in
                first = min(first, piece.bytes.lowerBound)
                return first
            }.reversed()
            var end = Int64.min
            ends = pieces.map { piece in
                end = max(end, piece.bytes.upperBound)
                return end
            }
        }

        func index(of time: Duration) -> Int { max(0, ByteMap.count(in: starts) { $0 <= time } - 1) }
    }

    private var points: [Point] = []
    private var tracks: [Track] = []

    /// The times of the sync samples in order; empty if all samples are sync samples.
    package private(set) var keyTimes: [Duration] = []

    /// The end of the media data.
    package let end: Int64

    /// A map between at least two points, in order of time and offset.
    package init(points: [Point]) {
        self.points = points
        end = points.last?.offset ?? 0
    }

    /// A map of the pieces of several tracks with the times of sync samples.
    init(tracks: [[Piece]], keyTimes: [Duration]) {
        self.tracks = tracks.filter { !$0.isEmpty }.map(Track.init)
        self.keyTimes = keyTimes
        end = self.tracks.compactMap(\.ends.last).max() ?? 0
    }

    /// Returns the first byte for playback from a time.
    package func offset(of time: Duration) -> Int64 {
        guard tracks.isEmpty else {
            let key = keyTimes.isEmpty ? time : keyTimes[max(0, Self.count(in: keyTimes) { $0 <= time } - 1)]
            return tracks.map { $0.firsts[$0.index(of: min(time, max(key, .zero)))] }.min() ?? 0
        }
        guard let first = points.first, let last = points.last, time > first.time else { return points[0].offset }
        guard time < last.time else { return last.offset }
        let index = Self.count(in: points) { $0.time <= time } - 1
        let (here, next) = (points[index], points[index + 1])
        let share = (time - here.time).seconds / (next.time - here.time).seconds
        return here.offset + Int64(share * Double(next.offset - here.offset))
    }

    /// Returns the time up to which media from a time are available in a byte range: the time itself if nothing is
    /// available, nil if all is.
    package func time(of bytes: Range<Int64>, from time: Duration) -> Duration? {
        guard tracks.isEmpty else {
            var least: Duration?
            for track in tracks {
                let index = track.index(of: time)
                guard bytes.lowerBound <= track.firsts[index] else { return time }
                let missing = Self.count(in: track.ends) { $0 <= bytes.upperBound }
                guard missing < track.starts.count else { continue }
                let start = missing <= index ? time : max(time, track.starts[missing])
                least = min(least ?? start, start)
            }
            return least
        }
        guard bytes.lowerBound <= offset(of: time) else { return time }
        if bytes.upperBound >= end { return nil }
        let index = Self.count(in: points) { $0.offset <= bytes.upperBound } - 1
        guard index >= 0 else { return time }
        let (here, next) = (points[index], points[index + 1])
        guard next.offset > here.offset else { return max(time, here.time) }
        let share = Double(bytes.upperBound - here.offset) / Double(next.offset - here.offset)
        let nanoseconds = Double((next.time - here.time).wholeNanoseconds) * share
        return max(time, here.time + .nanoseconds(Int64(nanoseconds)))
    }

    /// Returns the number of leading elements that satisfy a condition that the others do not.
    private static func count<Element>(in elements: [Element], _ isInFront: (Element) -> Bool) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if isInFront(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
