internal import SegueBase

/// What is to be played in the middle of a presentation, as a date range schedules it (RFC 8216bis, appendix D).
package struct Interstitial: Sendable, Equatable {
    /// The class of date ranges that are interstitials (RFC 8216bis, D.2).
    package static let classID = "com.apple.hls.interstitial"

    /// Where what is played comes from.
    package enum Assets: Sendable, Equatable {
        /// A playlist, as written (`X-ASSET-URI`).
        case one(String)
        /// A list of playlists in JSON, as written (`X-ASSET-LIST`).
        case list(String)
        /// Nowhere: the date range has neither, or both.
        case none(reason: String)
    }

    /// When it is played, where that is not at its date (`CUE`).
    package enum Cue: Sendable, Equatable {
        case date
        /// Before the presentation begins.
        case before
        /// When the presentation has been played to its end.
        case after
    }

    /// What names it in the playlist.
    package var id: String

    /// Where what is played comes from.
    package var assets: Assets

    /// When it is played.
    package var cue: Cue

    /// Whether it is not played again once it was (`CUE=ONCE`).
    package var isOnce: Bool

    /// Its date, in seconds since 1970.
    package var date: Double

    /// How far behind the place where it begins the presentation goes on (`X-RESUME-OFFSET`); nil for as far as it was
    /// played.
    package var resumeOffset: Duration?

    /// How much of it is played at the most (`X-PLAYOUT-LIMIT`); nil for all.
    package var playoutLimit: Duration?

    /// How long it is said to be; nil where that is not said.
    package var announcedDuration: Duration?

    /// Whether the presentation is left at the segment boundary that is nearest (`X-SNAP=OUT`).
    package var snapsOut: Bool

    /// Whether the presentation is gone on with at the segment boundary that is nearest (`X-SNAP=IN`).
    package var snapsIn: Bool

    /// Whether nobody may skip in it or play it faster (`X-RESTRICT=SKIP`).
    package var restrictsSkipping: Bool

    /// Whether nobody may jump over it who has not seen it (`X-RESTRICT=JUMP`).
    package var restrictsJumping: Bool

    /// How far behind where it begins the presentation goes on, as far as that is known before it was played.
    package var expectedOffset: Duration {
        if let resumeOffset { return resumeOffset }
        guard let playoutLimit else { return announcedDuration ?? .zero }
        return announcedDuration.map { min($0, playoutLimit) } ?? playoutLimit
    }

    /// The interstitial that a date range is; nil where it is none, or has no date.
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

    /// Longer than any title, in seconds.
    private static let longest = Rational(100_000_000)

    /// So many seconds, to the microsecond; nil for what no title is as long as.
    package static func duration(of seconds: Double) -> Duration? {
        guard seconds.magnitude < 100_000_000 else { return nil }
        return .microseconds(Int64((seconds * 1_000_000).rounded()))
    }
}

extension DateRange {
    /// A client's attribute that is a number of seconds; nil where it is none.
    fileprivate func seconds(_ name: String) -> Duration? {
        guard case .number(let text) = clientAttributes[name] else { return nil }
        return Double(text).flatMap(Interstitial.duration)
    }

    /// The words of a client's attribute that is an enumerated string list.
    fileprivate func words(_ name: String) -> [Substring] {
        guard case .string(let text) = clientAttributes[name] else { return [] }
        return text.split(separator: ",").map { $0.drop { $0 == " " } }
    }
}
