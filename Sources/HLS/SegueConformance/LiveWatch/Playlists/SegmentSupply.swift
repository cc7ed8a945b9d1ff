internal import SegueBase
internal import SeguePlaylists

/// The availability of one playlist's segments and its effect on a player.
struct SegmentSupply: Sendable {
    var probes = ResourceProbes()
    private let source: WatchedPlaylist
    private var stalls = StallModel()

    init(_ source: WatchedPlaylist) { self.source = source }

    /// Starts the model of a player with a version, and probes its first and last segment.
    mutating func start(_ update: inout PlaylistUpdate) {
        let playlist = update.playlist
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
        let requests = probes.segments.listed(wanted, of: playlist, from: base, at: response.ended)
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
    ) -> (requests: [WatchRequest], breaches: [Breach]) {
        if response.method == .get { return ([], probes.parts.take(response)) }
        if response.method == .firstByte, probes.hints.awaits(response.url) {
            probes.hints.take(response, in: state?.playlist)
            return ([], [])
        }
        let outcome = probes.segments.take(response, in: state)
        var found = outcome.breaches
        if let number = outcome.usable {
            let usable = stalls.use(number, since: outcome.since ?? response.ended)
            found += Self.breaches(of: usable, counting: &figures)
        }
        return (outcome.requests, found)
    }

    /// Returns the breach of a stall that lasts until the end of the watch.
    func finish(at now: Instant, counting figures: inout WatchFigures) -> [Breach] {
        Self.breaches(of: [stalls.open(at: now)].compactMap(\.self), counting: &figures)
    }
}
