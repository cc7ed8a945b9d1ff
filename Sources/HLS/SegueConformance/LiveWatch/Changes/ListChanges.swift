internal import SegueBase
internal import SeguePlaylists

/// The changes from one version of a playlist to the next.
struct ListChanges {
    /// The relation of the next version to the previous one.
    enum Verdict {
        case follows
        case isOlder
        /// The versions have nothing in common.
        case isOther
    }

    private(set) var breaches: [Breach] = []
    private(set) var verdict = Verdict.follows

    /// The maximum number of reported segments for one load.
    private static let reportLimit = 3

    /// Compares two whole versions.
    init(from state: PlaylistState, to next: MediaPlaylist) {
        let former = state.playlist
        if former.hasEndList { end(former, next) }
        if next.mediaSequence < former.mediaSequence {
            verdict = Self.isSame(former, next) ? .isOlder : .isOther
            add(
                LiveRules.sequence,
                "the media sequence number decreases from \(former.mediaSequence) to \(next.mediaSequence)"
            )
            return
        }
        if let place = Self.shift(former, next) {
            verdict = .isOther
            let grown = next.mediaSequence - former.mediaSequence
            add(LiveRules.removed, "the media sequence number grows by \(grown), \(place) segments were removed")
            return
        }
        if next.nextSequence < former.nextSequence, next.mediaSequence < former.nextSequence {
            verdict = Self.isSame(former, next) ? .isOlder : .isOther
            let taken = former.nextSequence - next.nextSequence
            add(LiveRules.order, "\(taken) segments at the end are no longer listed", segment: next.nextSequence)
            return
        }
        head(former, next)
        removal(former, next)
        segments(state, next)
    }

    private mutating func add(_ rule: Rule, _ message: Message, segment: Int? = nil) {
        breaches.append(Breach(rule, message, segment: segment))
    }

    private mutating func end(_ former: MediaPlaylist, _ next: MediaPlaylist) {
        if !next.hasEndList {
            add(LiveRules.end, "#EXT-X-ENDLIST is removed")
        } else if next.nextSequence > former.nextSequence {
            add(LiveRules.end, "segments are added after #EXT-X-ENDLIST", segment: former.nextSequence)
        }
    }

    private mutating func head(_ former: MediaPlaylist, _ next: MediaPlaylist) {
        if former.targetDuration != next.targetDuration {
            add(
                LiveRules.target,
                "the target duration changes from \(former.targetDuration) s to \(next.targetDuration) s"
            )
        }
        if former.declaredVersion != next.declaredVersion {
            let versions = [former, next].map { $0.declaredVersion.map(String.init) ?? "none" }
            add(LiveRules.header, "the version changes from \(versions[0]) to \(versions[1])")
        }
        if former.isIndependent != next.isIndependent {
            add(LiveRules.header, "#EXT-X-INDEPENDENT-SEGMENTS is \(former.isIndependent ? "removed" : "added")")
        }
        if former.isIFramesOnly != next.isIFramesOnly {
            add(LiveRules.header, "#EXT-X-I-FRAMES-ONLY is \(former.isIFramesOnly ? "removed" : "added")")
        }
        if former.kind != next.kind {
            let kinds = [former, next].map { $0.kind?.rawValue ?? "none" }
            add(LiveRules.type, "the playlist type changes from \(kinds[0]) to \(kinds[1])")
        }
        if former.serverControl != next.serverControl { add(LowLatencyRules.control, "#EXT-X-SERVER-CONTROL changes") }
        if former.partTarget != next.partTarget, former.partTarget != nil, next.partTarget != nil || !next.hasEndList {
            let was = former.partTarget?.seconds ?? 0
            let (old, new) =
                next.partTarget.map { DisplayText.distinct(was, $0.seconds, in: .seconds) } ?? (
                    DisplayText.seconds(was), "none"
                )
            add(LowLatencyRules.partTarget, "the part target changes from \(old) to \(new)")
        }
    }

    private mutating func removal(_ former: MediaPlaylist, _ next: MediaPlaylist) {
        if former.kind == .vod, next.kind == .vod, next.nextSequence > former.nextSequence {
            let grown = next.nextSequence - former.nextSequence
            add(LiveRules.event, "\(grown) segments are added to a VOD playlist", segment: former.nextSequence)
        }
        let count = next.mediaSequence - former.mediaSequence
        guard count > 0 else { return }
        if let kind = next.kind, kind == former.kind {
            add(LiveRules.event, "\(count) segments are removed from a playlist of type \(kind.rawValue)")
        }
        guard !next.hasEndList else { return }
        if next.duration.seconds < 3 * next.target {
            let comparison = Comparison(
                "the remaining segments last",
                next.duration.seconds,
                expected: .atLeast(3 * next.target),
                unit: .seconds,
                origin: "(3 target durations)"
            )
            breaches.append(Breach(LiveRules.window, comparison))
        }
        // The number of I-frames depends on the encoder.
        if !next.isIFramesOnly, next.segments.count < 6 {
            let count = Double(next.segments.count)
            breaches.append(
                Breach(LiveRules.six, Comparison("the playlist has", count, expected: .atLeast(6), unit: .segments))
            )
        }
    }

    private mutating func segments(_ state: PlaylistState, _ next: MediaPlaylist) {
        let former = state.playlist
        let common = former.sequences.clamped(to: next.sequences)
        let numbers = PlaylistState.discontinuities(next)
        var named = 0
        for number in common {
            let (old, new) = (number - former.mediaSequence, number - next.mediaSequence)
            let what = Self.difference(former.segments[old], next.segments[new], isFirst: new == 0)
            if let what, named < Self.reportLimit {
                named += 1
                let rule = state.isOfDelta ? LowLatencyRules.delta : LiveRules.segmentChanged
                let message: Message = state.isOfDelta ? "the delta update changes the \(what)" : "the \(what) changes"
                add(rule, message, segment: number)
            }
        }
        let wrong = common.first {
            state.segments[$0 - former.mediaSequence].discontinuity != numbers[$0 - next.mediaSequence]
        }
        if let wrong {
            let was = state.segments[wrong - former.mediaSequence].discontinuity
            let message: Message =
                "the discontinuity sequence number changes from \(was) to \(numbers[wrong - next.mediaSequence])"
            add(LiveRules.discontinuity, message, segment: wrong)
        } else if next.discontinuitySequence < former.discontinuitySequence {
            add(
                LiveRules.discontinuity,
                "the discontinuity sequence number decreases from \(former.discontinuitySequence) to "
                    + "\(next.discontinuitySequence)"
            )
        }
    }

    /// Returns the name of a property that differs; nil if all are equal.
    private static func difference(_ old: MediaSegment, _ new: MediaSegment, isFirst: Bool) -> String? {
        if old.uri != new.uri { return "URI" }
        if old.duration != new.duration { return "duration" }
        if old.byteRange != new.byteRange { return "byte range" }
        if old.map != new.map { return "initialization section" }
        if old.keys != new.keys { return "key" }
        if old.isGap != new.isGap { return "#EXT-X-GAP" }
        // The tag before the first segment may be removed with the previous one.
        if !isFirst, old.startsDiscontinuity != new.startsDiscontinuity { return "#EXT-X-DISCONTINUITY" }
        if let date = old.programDateTime, let other = new.programDateTime, date != other { return "date" }
        return nil
    }

    /// Returns true if the common segments of two versions are the same.
    private static func isSame(_ former: MediaPlaylist, _ next: MediaPlaylist) -> Bool {
        let common = former.sequences.clamped(to: next.sequences)
        return !common.isEmpty
            && common.allSatisfy {
                former.segments[$0 - former.mediaSequence].uri == next.segments[$0 - next.mediaSequence].uri
            }
    }

    /// Returns the number of removed segments by their URIs if it differs from the sequence numbers.
    private static func shift(_ former: MediaPlaylist, _ next: MediaPlaylist) -> Int? {
        guard let first = next.segments.first else { return nil }
        let claimed = next.mediaSequence - former.mediaSequence
        func isFirst(_ segment: MediaSegment) -> Bool {
            segment.uri == first.uri && segment.byteRange == first.byteRange
        }
        if former.segments.indices.contains(claimed), isFirst(former.segments[claimed]) { return nil }
        guard let place = former.segments.firstIndex(where: isFirst), place != claimed else { return nil }
        // One equal segment may be a coincidence.
        let (rest, expected) = (next.segments.dropFirst().prefix(2), former.segments.dropFirst(place + 1).prefix(2))
        return zip(rest, expected).allSatisfy { $0.uri == $1.uri && $0.byteRange == $1.byteRange } ? place : nil
    }
}
