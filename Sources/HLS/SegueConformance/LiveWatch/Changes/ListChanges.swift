internal import SegueBase
internal import SeguePlaylists

/// What has changed from one version of a playlist to the next.
struct ListChanges {
    /// What to make of the next version.
    enum Verdict {
        /// It follows the one before.
        case follows
        /// It is older than the one before.
        case isOlder
        /// It has nothing to do with the one before.
        case isOther
    }

    private(set) var breaches: [Breach] = []
    private(set) var verdict = Verdict.follows

    /// How many segments are named of those that changed with one load.
    private static let mostNamed = 3

    /// Compares two versions, whole ones.
    init(from state: PlaylistState, to next: MediaPlaylist) {
        let former = state.playlist
        if former.hasEndList { end(former, next) }
        if next.mediaSequence < former.mediaSequence {
            verdict = Self.isSame(former, next) ? .isOlder : .isOther
            add(LiveRules.sequence, "it falls from \(former.mediaSequence) to \(next.mediaSequence)")
            return
        }
        if let place = Self.shift(former, next) {
            verdict = .isOther
            let grown = next.mediaSequence - former.mediaSequence
            add(LiveRules.removed, "\(place) segments were removed, and it grows by \(grown)")
            return
        }
        if next.nextSequence < former.nextSequence, next.mediaSequence < former.nextSequence {
            verdict = Self.isSame(former, next) ? .isOlder : .isOther
            let taken = former.nextSequence - next.nextSequence
            add(LiveRules.order, "\(taken) segments at the end are listed no longer", next.nextSequence)
            return
        }
        head(former, next)
        removal(former, next)
        segments(state, next)
    }

    private mutating func add(_ rule: Rule, _ message: String, _ segment: Int? = nil) {
        breaches.append(Breach(rule, message, segment: segment))
    }

    private mutating func end(_ former: MediaPlaylist, _ next: MediaPlaylist) {
        if !next.hasEndList {
            add(LiveRules.end, "#EXT-X-ENDLIST is taken back")
        } else if next.nextSequence > former.nextSequence {
            add(LiveRules.end, "segments are added after the end", former.nextSequence)
        }
    }

    private mutating func head(_ former: MediaPlaylist, _ next: MediaPlaylist) {
        if former.targetDuration != next.targetDuration {
            add(LiveRules.target, "it was \(former.targetDuration) and is \(next.targetDuration)")
        }
        if former.declaredVersion != next.declaredVersion {
            let versions = [former, next].map { $0.declaredVersion.map(String.init) ?? "none" }
            add(LiveRules.header, "the version was \(versions[0]) and is \(versions[1])")
        }
        if former.isIndependent != next.isIndependent {
            add(LiveRules.header, "#EXT-X-INDEPENDENT-SEGMENTS was \(former.isIndependent ? "there" : "not there")")
        }
        if former.isIFramesOnly != next.isIFramesOnly {
            add(LiveRules.header, "#EXT-X-I-FRAMES-ONLY was \(former.isIFramesOnly ? "there" : "not there")")
        }
        if former.kind != next.kind {
            let kinds = [former, next].map { $0.kind?.rawValue ?? "none" }
            add(LiveRules.type, "it was \(kinds[0]) and is \(kinds[1])")
        }
        if former.serverControl != next.serverControl { add(LiveRules.control, "it is not what it was") }
        if former.partTarget != next.partTarget, former.partTarget != nil, next.partTarget != nil || !next.hasEndList {
            let was = former.partTarget?.seconds ?? 0
            let (old, new) = next.partTarget.map { words(was, besides: $0.seconds) } ?? (words(was), "none")
            add(LiveRules.partTarget, "it was \(old) and is \(new)")
        }
    }

    private mutating func removal(_ former: MediaPlaylist, _ next: MediaPlaylist) {
        if former.kind == .vod, next.kind == .vod, next.nextSequence > former.nextSequence {
            let grown = next.nextSequence - former.nextSequence
            add(LiveRules.event, "\(grown) segments are added, and the type is VOD", former.nextSequence)
        }
        let count = next.mediaSequence - former.mediaSequence
        guard count > 0 else { return }
        if let kind = next.kind, kind == former.kind {
            add(LiveRules.event, "\(count) segments are removed, and the type is \(kind.rawValue)")
        }
        guard !next.hasEndList else { return }
        if next.duration.seconds < 3 * next.target {
            add(
                LiveRules.window,
                "\(words(next.duration.seconds)) are left; the target duration is \(next.targetDuration)"
            )
        }
        // How many I-frames there are is for the encoder to say.
        if !next.isIFramesOnly, next.segments.count < 6 { add(LiveRules.six, "it has \(next.segments.count) segments") }
    }

    private mutating func segments(_ state: PlaylistState, _ next: MediaPlaylist) {
        let former = state.playlist
        let common = former.sequences.clamped(to: next.sequences)
        let numbers = PlaylistState.discontinuities(next)
        var named = 0
        for number in common {
            let (old, new) = (number - former.mediaSequence, number - next.mediaSequence)
            let what = Self.difference(former.segments[old], next.segments[new], isFirst: new == 0)
            if let what, named < Self.mostNamed {
                named += 1
                let rule = state.isOfDelta ? LiveRules.delta : LiveRules.segmentChanged
                let text = state.isOfDelta ? "the update made another \(what) of it" : "its \(what) is another"
                add(rule, text, number)
            }
        }
        let wrong = common.first {
            state.segments[$0 - former.mediaSequence].discontinuity != numbers[$0 - next.mediaSequence]
        }
        if let wrong {
            let was = state.segments[wrong - former.mediaSequence].discontinuity
            let text = "its discontinuity sequence number was \(was) and is \(numbers[wrong - next.mediaSequence])"
            add(LiveRules.discontinuity, text, wrong)
        } else if next.discontinuitySequence < former.discontinuitySequence {
            add(
                LiveRules.discontinuity,
                "it falls from \(former.discontinuitySequence) to \(next.discontinuitySequence)"
            )
        }
    }

    /// What two versions say differently of a segment.
    private static func difference(_ old: MediaSegment, _ new: MediaSegment, isFirst: Bool) -> String? {
        if old.uri != new.uri { return "URI" }
        if old.duration != new.duration { return "duration" }
        if old.byteRange != new.byteRange { return "byte range" }
        if old.map != new.map { return "initialization section" }
        if old.keys != new.keys { return "key" }
        if old.isGap != new.isGap { return "#EXT-X-GAP" }
        // The tag before the first goes with the segment before it, or stays.
        if !isFirst, old.startsDiscontinuity != new.startsDiscontinuity { return "#EXT-X-DISCONTINUITY" }
        if let date = old.programDateTime, let other = new.programDateTime, date != other { return "date" }
        return nil
    }

    /// Whether what two versions have in common is the same.
    private static func isSame(_ former: MediaPlaylist, _ next: MediaPlaylist) -> Bool {
        let common = former.sequences.clamped(to: next.sequences)
        return !common.isEmpty
            && common.allSatisfy {
                former.segments[$0 - former.mediaSequence].uri == next.segments[$0 - next.mediaSequence].uri
            }
    }

    /// How many segments were removed by what they are, where their numbers say otherwise.
    private static func shift(_ former: MediaPlaylist, _ next: MediaPlaylist) -> Int? {
        guard let first = next.segments.first else { return nil }
        let claimed = next.mediaSequence - former.mediaSequence
        func isFirst(_ segment: MediaSegment) -> Bool {
            segment.uri == first.uri && segment.byteRange == first.byteRange
        }
        if former.segments.indices.contains(claimed), isFirst(former.segments[claimed]) { return nil }
        guard let place = former.segments.firstIndex(where: isFirst), place != claimed else { return nil }
        // One that is the same by chance is not enough.
        let (rest, expected) = (next.segments.dropFirst().prefix(2), former.segments.dropFirst(place + 1).prefix(2))
        return zip(rest, expected).allSatisfy { $0.uri == $1.uri && $0.byteRange == $1.byteRange } ? place : nil
    }
}
