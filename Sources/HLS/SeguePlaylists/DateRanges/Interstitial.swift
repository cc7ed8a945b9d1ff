internal import SegueBase

/// An interstitial that a date range schedules (rfc8216bis, appendix D).
package struct Interstitial: Sendable, Equatable {
    /// The class of date ranges that are interstitials (rfc8216bis, D.2).
    package static let classID = "com.apple.hls.interstitial"

    /// The source of the content.
    package enum Assets: Sendable, Equatable {
        /// The URI of a playlist, as written (`X-ASSET-URI`).
        case one(String)
        /// The URI of a JSON list of playlists, as written (`X-ASSET-LIST`).
        case list(String)
        /// No source, since the date range has neither attribute, or both.
        case none(reason: String)
    }

    /// The trigger point if it is not the date (`CUE`).
    package enum Cue: Sendable, Equatable {
        case date
        /// Before the start of the presentation.
        case before
        /// After the end of the presentation.
        case after
    }

    /// The unique ID in the playlist.
    package var id: String

    /// The source of the content.
    package var assets: Assets

    /// The trigger point.
    package var cue: Cue

    /// True if it plays only once (`CUE=ONCE`).
    package var isOnce: Bool

    /// The date in seconds since 1970.
    package var date: Double

    /// The offset at which the presentation resumes (`X-RESUME-OFFSET`); nil for the played duration.
    package var resumeOffset: Duration?

    /// The maximum played duration (`X-PLAYOUT-LIMIT`); nil for no limit.
    package var playoutLimit: Duration?

    /// The stated duration in seconds; nil if not stated.
    package var announcedDuration: Duration?

    /// True to leave the presentation at the nearest segment boundary (`X-SNAP=OUT`).
    package var snapsOut: Bool

    /// True to resume the presentation at the nearest segment boundary (`X-SNAP=IN`).
    package var snapsIn: Bool

    /// True to forbid seeking and fast playback within it (`X-RESTRICT=SKIP`).
    package var restrictsSkipping: Bool

    /// True to forbid seeking past it before it has played (`X-RESTRICT=JUMP`).
    package var restrictsJumping: Bool

    /// The known offset from its start at which the presentation resumes.
    package var expectedOffset: Duration {
        if let resumeOffset { return resumeOffset }
        guard let playoutLimit else { return announcedDuration ?? .zero }
        return announcedDuration.map { min($0, playoutLimit) } ?? playoutLimit
    }

    /// Reads the interstitial of a date range; nil for other classes or without a date.
    package init?(_ range: DateRange) {
        guard range.classID == Interstitial.classID, let start = range.startDate,
            let date = ProgramDate.seconds(start)
        else { return nil }
        id = range.id
        self.date = date
        switch (range.clientAttributes["X-ASSET-URI"], range.clientAttributes["X-ASSET-LIST"]) {
        case (.string(let uri), nil) where !uri.isEmpty: assets = .one(uri)
        case (nil, .string(let uri)) where !uri.isEmpty: assets = .list(uri)
        case (nil, nil): assets = .none(reason: "it has neither X-ASSET-URI nor X-ASSET-LIST")
        case (_?, _?): assets = .none(reason: "it has both X-ASSET-URI and X-ASSET-LIST")
        default: assets = .none(reason: "X-ASSET-URI or X-ASSET-LIST is no address")
        }
        cue = range.cues.contains("PRE") ? .before : range.cues.contains("POST") ? .after : .date
        isOnce = range.cues.contains("ONCE")
        resumeOffset = range.seconds("X-RESUME-OFFSET")
        playoutLimit = range.seconds("X-PLAYOUT-LIMIT").flatMap { $0 > .zero ? $0 : nil }
        let ended = range.endDate.flatMap(ProgramDate.seconds).flatMap { Interstitial.duration(of: $0 - date) }
        let said = (range.duration ?? range.plannedDuration).flatMap { $0 < Interstitial.longest ? Duration($0) : nil }
        announcedDuration = said ?? ended.flatMap { $0 >= .zero ? $0 : nil }
        snapsOut = range.words("X-SNAP").contains("OUT")
        snapsIn = range.words("X-SNAP").contains("IN")
        restrictsSkipping = range.words("X-RESTRICT").contains("SKIP")
        restrictsJumping = range.words("X-RESTRICT").contains("JUMP")
    }

    /// The maximum duration in seconds, longer than any title.
    private static let longest = Rational(100_000_000)

    /// Returns seconds with microsecond precision; nil above the maximum.
    package static func duration(of seconds: Double) -> Duration? {
        guard seconds.magnitude < 100_000_000 else { return nil }
        return .microseconds(Int64((seconds * 1_000_000).rounded()))
    }
}

extension DateRange {
    /// Returns a numeric client attribute in seconds; nil for other values.
    fileprivate func seconds(_ name: String) -> Duration? {
        guard case .number(let text) = clientAttributes[name] else { return nil }
        return Double(text).flatMap(Interstitial.duration)
    }

    /// Returns the values of a client attribute that is an enumerated string list.
    fileprivate func words(_ name: String) -> [Substring] {
        guard case .string(let text) = clientAttributes[name] else { return [] }
        return text.split(separator: ",").map { $0.drop { $0 == " " } }
    }
}
