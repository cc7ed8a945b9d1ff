internal import SegueBase
internal import SeguePlaylists

/// Looks whether listed segments are there, and removed ones still.
struct SegmentChecks: Sendable {
    /// What a look is for.
    private enum Purpose {
        /// It is listed since.
        case listed(Int, since: Instant, attempt: Int)
        /// A part of it is.
        case part(Int)
        /// It has to be there until then, by the draft, and until later, by the RFC.
        case kept(Int, until: Instant, isLong: Bool)
    }

    /// What came of a look.
    struct Outcome {
        var breaches: [Breach] = []
        var requests: [WatchRequest] = []
        /// A segment that can be had, and since when; nil where that is not known.
        var usable: Int?
        var since: Instant?
    }

    /// How many segments are looked for that came with one load, and how often for one that is not there.
    static let mostAtOnce = 5
    private static let mostAttempts = 4
    /// The most looks that are under way.
    private static let mostOpen = 32
    /// A look has to end before it counts no longer, and begins so much before that, in seconds.
    private static let margin = 1.0

    /// The duration of the longest version of the playlist so far, in seconds.
    var longest = 0.0

    private var open: [String: Purpose] = [:]
    /// Whether a removed segment is waited for; one at a time is.
    private var keeps = false
    /// What was under the URLs.
    private var seen = SeenContent()
    /// The server does not answer HEAD.
    private var usesRanges = false

    /// Whether something is looked for.
    func awaits(_ url: String) -> Bool { open[url] != nil }

    /// The playlist begins anew.
    mutating func forget() {
        open = [:]
        keeps = false
        seen.forget()
    }

    /// Looks for segments that are listed.
    mutating func listed(
        _ numbers: [Int],
        _ playlist: MediaPlaylist,
        _ base: URIReference.Base,
        at now: Instant
    ) -> [(number: Int, request: WatchRequest)] {
        numbers.compactMap { number in
            let segment = playlist.segments[number - playlist.mediaSequence]
            let request = look(base.resolve(segment.uri), .listed(number, since: now, attempt: 1), at: now)
            return request.map { (number, $0) }
        }
    }

    /// Looks for the last part that is listed.
    mutating func part(_ playlist: MediaPlaylist, _ base: URIReference.Base, at now: Instant) -> [WatchRequest] {
        guard let part = playlist.openParts.last, !part.isGap, part.byteRange == nil else { return [] }
        return [look(base.resolve(part.uri), .part(playlist.nextSequence), at: now)].compactMap(\.self)
    }

    /// Looks later for one of those that are listed no longer.
    mutating func removed(_ numbers: some Collection<Int>, _ state: PlaylistState, at now: Instant) -> [WatchRequest] {
        for number in numbers {
            let segment = state.playlist.segments[number - state.playlist.mediaSequence]
            guard segment.byteRange == nil else { continue }
            let until = state.began + available(segment)
            seen.remove(state.base.resolve(segment.uri), number, until: until, at: now)
        }
        guard !keeps, !state.playlist.hasEndList, let number = numbers.first else { return [] }
        let index = number - state.playlist.mediaSequence
        let segment = state.playlist.segments[index]
        // The file that an I-frame is in stays for the segment that it is.
        guard !segment.isGap, !state.playlist.isIFramesOnly || segment.byteRange == nil else { return [] }
        let url = state.base.resolve(segment.uri)
        let kept = available(segment)
        // It was listed when the former version was asked for, and it was not before it was missing.
        let long = state.began + kept
        let short = state.segments[index].missing.map { $0 + kept }
        guard let short, short > now + .seconds(Self.margin) else {
            let request = look(
                url,
                .kept(number, until: long, isLong: true),
                at: long + .seconds(-Self.margin),
                from: now
            )
            keeps = request != nil
            return [request].compactMap(\.self)
        }
        let request = look(
            url,
            .kept(number, until: short, isLong: false),
            at: short + .seconds(-Self.margin),
            from: now
        )
        keeps = request != nil
        longUntil = long
        return [request].compactMap(\.self)
    }

    /// How long a segment stays: as long as it lasts, and the longest playlist.
    private func available(_ segment: MediaSegment) -> Duration {
        Duration.seconds(segment.duration.seconds + min(longest, 86_400))
    }

    /// Until when the RFC has the one stay that is waited for.
    private var longUntil: Instant?

    private mutating func look(
        _ url: String,
        _ purpose: Purpose,
        at instant: Instant,
        from now: Instant? = nil
    ) -> WatchRequest? {
        guard open.count < Self.mostOpen, url.hasPrefix("http"), open[url] == nil else { return nil }
        open[url] = purpose
        return WatchRequest(
            method: usesRanges ? .firstByte : .head,
            url: url,
            at: max(instant, now ?? instant),
            patience: .seconds(15),
            mayBlock: false
        )
    }

    /// Takes what came of a look.
    mutating func take(_ answer: WatchAnswer, in state: PlaylistState?) -> Outcome {
        guard let purpose = open.removeValue(forKey: answer.url) else { return Outcome() }
        if answer.method == .head, [400, 405, 501].contains(answer.status) {
            usesRanges = true
            return Outcome(requests: [look(answer.url, purpose, at: answer.ended)].compactMap(\.self))
        }
        switch purpose {
        case .listed(let number, let since, let attempt):
            if answer.isThere {
                let since = attempt == 1 ? since : answer.ended
                if let range = state?.playlist.segment(number)?.byteRange, let size = SeenContent.size(answer),
                    Int64(size) < range.offset.addingReportingOverflow(range.length).partialValue
                {
                    let text = "it has \(size) bytes, and the segment is \(range.length) from \(range.offset)"
                    return missing(number, since, attempt, answer, state, text)
                }
                guard let segment = state?.playlist.segment(number), segment.byteRange == nil else {
                    // What grows with each segment is another each time.
                    return Outcome(usable: number, since: since)
                }
                return Outcome(breaches: seen.take(answer, number), usable: number, since: since)
            }
            return missing(number, since, attempt, answer, state, answer.trouble)
        case .part(let number):
            guard !answer.isThere, state?.playlist.nextSequence == number else { return Outcome() }
            return Outcome(breaches: [Breach(LiveRules.partThere, "\(answer.url): \(answer.trouble)", segment: number)])
        case .kept(let number, let until, let isLong): return kept(number, until, isLong, answer)
        }
    }

    private mutating func missing(
        _ number: Int,
        _ since: Instant,
        _ attempt: Int,
        _ answer: WatchAnswer,
        _ state: PlaylistState?,
        _ trouble: String
    ) -> Outcome {
        // What went while it was looked for is another matter.
        guard let playlist = state?.playlist, playlist.sequences.contains(number) else { return Outcome() }
        var outcome = Outcome()
        if attempt == 1 {
            outcome.breaches = [Breach(LiveRules.segmentThere, "\(answer.url): \(trouble)", segment: number)]
        }
        guard attempt < Self.mostAttempts else { return outcome }
        let again = answer.ended + .seconds(min(playlist.target / 2, 10))
        outcome.requests = [look(answer.url, .listed(number, since: since, attempt: attempt + 1), at: again)]
            .compactMap(\.self)
        return outcome
    }

    private mutating func kept(_ number: Int, _ until: Instant, _ isLong: Bool, _ answer: WatchAnswer) -> Outcome {
        keeps = false
        // Later than that it may be gone; what has failed otherwise says nothing.
        guard answer.ended <= until else { return Outcome() }
        if answer.isThere {
            guard !isLong, let long = longUntil else { return Outcome() }
            let at = long + .seconds(-Self.margin)
            let request = look(answer.url, .kept(number, until: long, isLong: true), at: at, from: answer.ended)
            keeps = request != nil
            return Outcome(requests: [request].compactMap(\.self))
        }
        guard [403, 404, 410].contains(answer.status) else { return Outcome() }
        let rule = isLong ? LiveRules.segmentKeptLong : LiveRules.segmentKept
        let early = words((until - answer.ended).seconds)
        return Outcome(
            breaches: [Breach(rule, "\(answer.trouble), \(early) or more before it may be gone", segment: number)]
        )
    }
}
