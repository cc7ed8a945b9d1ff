internal import SegueBase
internal import SeguePlaylists

/// The effects of the response of a probe.
struct ProbeOutcome {
    var requests: [WatchRequest] = []
    var breaches: [Breach] = []
    var samples: [MediaSample] = []
}

/// The availability of one playlist's segments and its effect on a player.
struct SegmentSupply: Sendable {
    var probes = ResourceProbes()
    private let source: WatchedPlaylist
    private var stalls = StallModel()
    private(set) var schedule: SampleSchedule
    private var content = ContentRuns()
    private var captions: CaptionTrail
    private var codings = CodingTrail()

    init(_ source: WatchedPlaylist) {
        self.source = source
        captions = CaptionTrail(source.captions)
        // I-frame playlists name parts of segments that other playlists name as a whole.
        schedule = SampleSchedule(source.isIFrames ? .none : source.options.media)
    }

    /// Starts the model of a player with a version, and probes its first and last segment.
    mutating func start(_ update: inout PlaylistUpdate) {
        let playlist = update.playlist
        codings.forget()
        let listed = playlist.duration.seconds + playlist.openParts.reduce(0) { $0 + $1.duration.seconds }
        let back =
            (playlist.partTarget == nil ? nil : playlist.serverControl?.partHoldBack?.seconds)
            ?? playlist.serverControl?.holdBack?.seconds ?? 3 * playlist.target
        if !source.isIFrames { stalls.join(at: update.response.ended, ahead: min(back, listed)) }
        let ends = Set([playlist.segments.indices.first, playlist.segments.indices.last].compactMap(\.self)).sorted()
        _ = probe(ends.map { playlist.mediaSequence + $0 }, &update)
    }

    /// Gives new segments to the model of a player, and probes them.
    mutating func add(
        _ added: Range<Int>,
        after former: MediaPlaylist,
        to update: inout PlaylistUpdate,
        counting figures: inout WatchFigures
    ) {
        let (playlist, response) = (update.playlist, update.response)
        let probed = probe(Array(added.suffix(source.isIFrames ? 1 : SegmentChecks.loadLimit)), &update)
        var found = stalls.drop(before: playlist.mediaSequence)
        if playlist.partTarget != nil {
            let open = [former, playlist].map { $0.openParts.reduce(0) { $0 + $1.duration.seconds } }
            let whole = added.reduce(0) { $0 + playlist.segments[$1 - playlist.mediaSequence].duration.seconds }
            let grown = whole + open[1] - open[0]
            if grown != 0, let stall = stalls.grow(by: grown, at: response.ended) { found.append(stall) }
            if open[1] > 0, open[0] == 0 || whole > 0 {
                let base = URIReference.Base(response.finalURL)
                update.requests += probes.segments.part(playlist, base, at: response.ended)
            }
        } else {
            for number in added {
                let segment = playlist.segments[number - playlist.mediaSequence]
                stalls.expect(number, seconds: segment.duration.seconds)
                if !probed.contains(number) { found += stalls.use(number, since: response.ended) }
            }
        }
        update.breaches += Self.breaches(of: found, counting: &figures)
    }

    private static func breaches(
        of stalls: [StallModel.Stall],
        counting figures: inout WatchFigures
    ) -> [Breach] {
        stalls.map { stall in
            figures.stalls += 1
            figures.stallSeconds += stall.seconds
            return Breach(LiveRules.stall, "a player would stall for \(DisplayText.seconds(stall.seconds))")
        }
    }

    /// Probes segments; returns the numbers of those with a request.
    private mutating func probe(_ numbers: [Int], _ update: inout PlaylistUpdate) -> Set<Int> {
        guard source.options.checksSegments else { return [] }
        let (playlist, response) = (update.playlist, update.response)
        let wanted = numbers.filter { !playlist.segments[$0 - playlist.mediaSequence].isGap }
        let base = URIReference.Base(response.finalURL)
        let samples = schedule.due(wanted, target: playlist.target, at: response.ended)
        let requests = probes.segments.listed(
            wanted,
            loading: samples,
            of: playlist,
            from: base,
            at: response.ended
        )
        update.requests += requests.map(\.request)
        return Set(requests.map(\.number))
    }

    /// Returns the requests for parts that are due.
    mutating func partRequests(_ state: PlaylistState, at now: Instant) -> [WatchRequest] {
        guard source.options.checksSegments, source.isBlocking else { return [] }
        return probes.parts.requests(state.playlist, state.base, at: now)
    }

    /// Handles the response of a probe.
    mutating func check(
        _ response: WatchResponse,
        in state: PlaylistState?,
        counting figures: inout WatchFigures
    ) -> ProbeOutcome {
        var result = ProbeOutcome()
        if response.method == .get, probes.parts.awaits(response.url) {
            result.breaches = probes.parts.take(response)
            return result
        }
        if response.method == .get, probes.samples.awaits(response) {
            result.samples = probes.samples.take(response)
            return result
        }
        if response.method == .firstByte, probes.hints.awaits(response.url) {
            probes.hints.take(response, in: state?.playlist)
            return result
        }
        let outcome = probes.segments.take(response, in: state)
        (result.requests, result.breaches) = (outcome.requests, probes.segments.takeNotes() + outcome.breaches)
        if response.method == .get, !response.isThere { schedule.isSuspicious = true }
        if let (number, since) = outcome.loaded, let state, let entry = state.playlist.segment(number) {
            figures.mediaBytes += response.bytes.count
            var sample = MediaSample(of: entry, number, since: since, in: state.playlist, response, url: source.url)
            sample.discontinuity = state.segments[number - state.playlist.mediaSequence].discontinuity
            let (complete, requests) = probes.samples.add(sample, entry, from: state.base)
            result.samples = complete
            result.requests += requests
        }
        if outcome.isEmpty {
            // A sample shows whether the head is right.
            schedule.isSuspicious = true
            if source.options.media == .none {
                let message: Message = "the segment is empty, by HEAD"
                result.breaches.append(Breach(SegmentRules.readable.rule, message, segment: outcome.usable))
            }
        }
        if let number = outcome.usable {
            let usable = stalls.use(number, since: outcome.since ?? response.ended)
            result.breaches += Self.breaches(of: usable, counting: &figures)
        }
        return result
    }

    /// Handles the result of an inspection.
    mutating func take(_ sample: SampleResult, counting figures: inout WatchFigures) -> [Breach] {
        let found =
            sample.isPlayable ? stalls.use(sample.number, since: sample.since) : stalls.lose(sample.number)
        var breaches = Self.breaches(of: found, counting: &figures)
        guard sample.isInspected else { return breaches }
        figures.samples += 1
        if let decoded = sample.decoded {
            figures.decoded += 1
            breaches += content.take(decoded, number: sample.number)
        }
        // A broken segment may lack tracks.
        if let coding = sample.coding, !sample.isBroken { breaches += codings.take(coding) }
        if let found = sample.captions {
            breaches += captions.take(found, number: sample.number, at: sample.ended)
        }
        if sample.isBroken { figures.brokenSamples += 1 }
        schedule.isSuspicious = sample.isBroken
        return sample.breaches + breaches
    }

    /// Has the head requested in place of a whole segment.
    mutating func shrink(_ request: WatchRequest) -> WatchRequest {
        schedule.deny()
        return probes.segments.shrink(request)
    }

    mutating func grant() { schedule.grant() }

    /// Returns the breach of a stall that lasts until the end of the watch.
    func finish(at now: Instant, counting figures: inout WatchFigures) -> [Breach] {
        Self.breaches(of: [stalls.open(at: now)].compactMap(\.self), counting: &figures)
    }
}
