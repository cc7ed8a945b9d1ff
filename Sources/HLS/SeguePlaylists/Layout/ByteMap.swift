internal import SegueBase

/// Which bytes of a file are needed for which time.
package struct ByteMap: Sendable, Equatable {
    /// A place of which both are known; between two, time is taken to pass evenly.
    package struct Point: Sendable, Equatable {
        /// When.
        package let time: Duration
        /// The byte that it begins with.
        package let offset: Int64

        /// A place.
        package init(time: Duration, offset: Int64) {
            self.time = time
            self.offset = offset
        }
    }

    /// A stretch of one track and the bytes that hold it.
    struct Piece: Sendable, Equatable {
        let start: Duration
        var bytes: Range<Int64>
    }

    /// One track's pieces, in order of time.
    private struct Track: Sendable, Equatable {
        let starts: [Duration]
        /// The first byte of what comes from each piece on.
        let firsts: [Int64]
        /// The end of what comes up to each piece.
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

    /// Where pictures can begin, in order; empty where they can anywhere.
    package private(set) var keyTimes: [Duration] = []

    /// The byte behind the last one that is needed.
    package let end: Int64

    /// A map between places, at least two, in order of both time and offset.
    package init(points: [Point]) {
        self.points = points
        end = points.last?.offset ?? 0
    }

    /// A map of the pieces of several tracks, and where pictures can begin.
    init(tracks: [[Piece]], keyTimes: [Duration]) {
        self.tracks = tracks.filter { !$0.isEmpty }.map(Track.init)
        self.keyTimes = keyTimes
        end = self.tracks.compactMap(\.ends.last).max() ?? 0
    }

    /// The first byte that is needed to play from a time on.
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

    /// Up to when media are there from a time on, where a stretch of bytes is: the time itself where nothing is, nil
    /// where all that follows is there.
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

    /// How many elements at the front satisfy what those behind do not.
    private static func count<Element>(in elements: [Element], _ isInFront: (Element) -> Bool) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if isInFront(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
