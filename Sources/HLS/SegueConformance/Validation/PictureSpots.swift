internal import SegueBase
internal import SeguePlaylists

/// The positions at which the pictures of all playlists of a finished presentation are compared.
struct PictureSpots {
    /// The duration of the compared pictures at each position.
    static let length = Rational(2)

    /// The maximum number of positions, and of discontinuities with a position of their own.
    private static let limit = 6

    /// A playlist segment may start this much after a position and still contain it.
    private static let tolerance = Rational(1, 10)

    /// The positions in seconds from the start of the playlist, in order.
    private let times: [Rational]

    /// A choice without positions, for a playlist that is not compared.
    init() { times = [] }

    /// Chooses starts of segments, spread evenly over the playlist, and one within each discontinuity.
    ///
    /// Other playlists usually have a segment, and so a keyframe, at the same times.
    init(of playlist: MediaPlaylist) {
        let starts = Self.starts(playlist)
        guard playlist.hasEndList, !starts.isEmpty else {
            times = []
            return
        }
        var chosen: Set<Int> = []
        for place in 0..<Self.limit { chosen.insert((2 * place + 1) * starts.count / (2 * Self.limit)) }
        let borders = playlist.segments.indices.filter { $0 == 0 || playlist.segments[$0].startsDiscontinuity }
        for (border, next) in zip(borders, borders.dropFirst() + [starts.count]).prefix(Self.limit) {
            chosen.insert((border + next) / 2)
        }
        times = chosen.sorted().map { starts[$0] }
    }

    private static func starts(_ playlist: MediaPlaylist) -> [Rational] {
        var end = Rational.zero
        return playlist.segments.map { segment in
            defer { end += segment.duration }
            return end
        }
    }

    /// The compared part of each segment that contains a position, in seconds from its start.
    ///
    /// Of an I-frame playlist, it is the first frame at or after a position.
    func parts(of playlist: MediaPlaylist) -> [Int: ClosedRange<Rational>] {
        guard playlist.hasEndList, !times.isEmpty, !playlist.segments.isEmpty else { return [:] }
        var (number, parts) = (0, [Int: ClosedRange<Rational>]())
        let starts = Self.starts(playlist)
        for time in times {
            if playlist.isIFramesOnly {
                while number < starts.count, starts[number] < time - Self.tolerance { number += 1 }
                guard number < starts.count, starts[number] < time + Self.length else { continue }
                parts[number] = .zero...Self.length
            } else {
                while number + 1 < starts.count, starts[number + 1] <= time + Self.tolerance { number += 1 }
                let begin = max(.zero, time - starts[number] - Self.tolerance)
                let end = max(begin, time - starts[number] + Self.length)
                parts[number] = min(parts[number]?.lowerBound ?? begin, begin)...end
            }
        }
        return parts
    }
}
