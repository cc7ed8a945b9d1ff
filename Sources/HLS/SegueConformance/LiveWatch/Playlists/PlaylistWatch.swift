internal import SegueBase
internal import SeguePlaylists

/// Watches one media playlist.
struct PlaylistWatch: Sendable {
    let source: WatchedPlaylist

    /// The last version; nil before the first load.
    var state: PlaylistState?
    var figures = WatchFigures()
    var supply: SegmentSupply
    var deltas = DeltaChecks()
    var schedule = ReloadSchedule()
    var news = NewsMonitor()
    var trail = DateTrail()
    /// Set while the multivariant playlist does not list the playlist.
    var departure: PlaylistDeparture?
    /// The number of consecutive versions that were older than the previous one.
    var setbacks = 0
    var reported = ReportedConditions()
    var ads = AdBreakTrail()
    private var reader: VersionReader
    private var tries = SecondTries("loads of the playlist")

    init(_ source: WatchedPlaylist) {
        self.source = source
        (supply, reader) = (SegmentSupply(source), VersionReader(source))
    }

    var url: String { source.url }

    /// True once the playlist is no longer watched.
    var isLeft: Bool { departure?.isOver ?? false }

    /// True if no change is expected.
    ///
    /// A finished playlist is loaded twice more, a VOD playlist never.
    var isDone: Bool { isLeft || schedule.endLoads >= (state?.playlist.kind == .vod ? 1 : 3) }

    /// The longest target duration of the other playlists in seconds.
    var beat: Double {
        get { schedule.beat }
        set { (schedule.beat, news.beat) = (newValue, newValue) }
    }

    /// Returns true if a response belongs to a probe of this watch.
    func awaits(_ response: WatchResponse) -> Bool { !isLeft && supply.probes.awaits(response) }

    /// The IDs of the rules that are broken at the moment.
    var broken: Set<String> {
        var rules = reported.rules
        if schedule.failures > 0 { rules.formUnion([LiveRules.reload.id, LiveRules.readable.id]) }
        if news.isLate { rules.insert(LiveRules.news.id) }
        if tries.isLasting || supply.probes.segments.tries.isLasting { rules.insert(ClientRules.first.rule.id) }
        return rules
    }

    /// Returns the first load.
    func begin(at now: Instant) -> WatchRequest { request(Directives(), at: now) }

    func request(_ directives: Directives, at instant: Instant) -> WatchRequest {
        schedule.request(directives, at: instant, of: source, target: state?.playlist.target)
    }

    func finding(_ breach: Breach, _ now: Instant) -> LiveFinding {
        let message: Message = breach.segment.map { "segment \($0): \(breach.message)" } ?? breach.message
        let place = Place(url: url, segment: breach.segment)
        return LiveFinding(
            at: now,
            broken: BrokenRule(rule: breach.rule, place: place, message: message, comparison: breach.comparison)
        )
    }

    /// Stops watching and returns the last findings.
    private mutating func leave(with findings: [LiveFinding] = []) -> WatchStep {
        departure?.end()
        (state, supply.probes) = (nil, ResourceProbes())
        return WatchStep(findings: findings)
    }

    // MARK: Loads

    /// Handles the response of a load.
    mutating func load(_ response: WatchResponse, _ asked: Directives) -> WatchStep {
        figures.bytes += response.bytes.count
        guard !isLeft else { return WatchStep() }
        if let target = state?.playlist.target, let probe = supply.probes.blocking.end(response.url) {
            let breaches = BlockingProbes.judge(probe, response, target: target) { try? reader.parse(response).get() }
            return WatchStep(findings: breaches.map { finding($0, response.ended) })
        }
        let limit = 3 * (state?.playlist.target ?? 0)
        let took = (response.ended - response.began).seconds
        if asked.sequence != nil, took > limit + 1, response.status == 503 || response.status == 0 || response.isThere {
            schedule.didBlockWithoutResult = true
        }
        guard response.isThere || departure == nil else { return leave() }
        guard response.isThere else { return fail(response, asked, took: took, limit: limit) }
        switch reader.read(response, after: state) {
        case .success(let version): return apply(version, of: response, asking: asked, took: took)
        case .failure(let breach) where breach.rule == LowLatencyRules.delta && asked.skips:
            return refuse(breach, response)
        case .failure where departure != nil: return leave()
        case .failure(let breach): return fail(response, breach)
        }
    }

    private mutating func apply(
        _ version: VersionReader.Version,
        of response: WatchResponse,
        asking asked: Directives,
        took: Double
    ) -> WatchStep {
        let playlist = version.playlist
        let late = tries.load(after: schedule.failures)
        schedule.countSuccess()
        figures.reloads += 1
        var update = PlaylistUpdate(
            playlist: playlist,
            response: response,
            asked: asked,
            isDelta: version.skipped != nil
        )
        update.breaches = late + responseBreaches(update, took)
        if asked.skips { update.breaches += deltas.skipped(playlist, version.skipped) }
        let hasChanged = accept(&update)
        figures.hasEnded = playlist.hasEndList
        schedule.countLoad(hasEnded: playlist.hasEndList)
        if deltas.isInDoubt {
            update.requests.append(request(Directives(), at: response.ended))
        } else if !isDone, let state {
            let settled = PlaylistUpdate(playlist: state.playlist, response: response, asked: asked, isDelta: false)
            update.requests.append(schedule.next(after: settled, hasChanged: hasChanged, of: source))
        }
        update.requests += probeRequests(for: update, hasChanged: hasChanged)
        let beat = self.beat
        if let state { update.breaches += departure?.check(state, response, beat: beat) ?? [] }
        let findings = update.breaches.map { finding($0, response.ended) }
        return isLeft ? leave(with: findings) : WatchStep(requests: update.requests, findings: findings)
    }

    /// Handles the response of a probe.
    mutating func check(_ response: WatchResponse) -> WatchStep {
        let outcome = supply.check(response, in: state, counting: &figures)
        var step = WatchStep(requests: outcome.requests)
        (step.findings, step.samples) = (outcome.breaches.map { finding($0, response.ended) }, outcome.samples)
        return step
    }

    /// Handles the result of an inspection; each broken rule is reported once, until a sample obeys it.
    mutating func take(_ sample: SampleResult) -> [LiveFinding] {
        let found = supply.take(sample, counting: &figures)
        let lasting = found.filter { $0.rule != LiveRules.stall }
        var breaches = found.filter { $0.rule == LiveRules.stall }
        let names = Dictionary(grouping: lasting) { ReportedConditions.ofMedia + $0.rule.id }
        if sample.isInspected { reported.end(ReportedConditions.ofMedia, besides: names) }
        for (name, ofRule) in names.sorted(by: { $0.key < $1.key }) { breaches += reported.once(name, ofRule) }
        return breaches.map { finding($0, sample.ended) }
    }

    /// Returns the findings at the end of the watch.
    mutating func finish(at now: Instant) -> [LiveFinding] {
        guard let state, !state.playlist.hasEndList else { return [] }
        return supply.finish(at: now, counting: &figures).map { finding($0, now) }
    }

    private mutating func probeRequests(for update: PlaylistUpdate, hasChanged: Bool) -> [WatchRequest] {
        guard let state else { return [] }
        let instant = update.response.ended
        var requests: [WatchRequest] = []
        if hasChanged, source.options.checksSegments {
            requests += supply.probes.hints.requests(state.playlist, state.base, loads: schedule.loads, at: instant)
        }
        if schedule.loads == 3, !source.isIFrames, !update.playlist.hasEndList {
            requests += supply.probes.blocking.requests(url, state.playlist, at: instant)
        }
        return requests
    }

    /// Checks the header fields and the time of a response.
    private mutating func responseBreaches(_ update: PlaylistUpdate, _ took: Double) -> [Breach] {
        let (playlist, asked) = (update.playlist, update.asked)
        var breaches: [Breach] = []
        if asked.sequence == nil {
            figures.reloadSeconds = took
            breaches += reported.once("slow", AnswerAge.slow(took, target: playlist.target))
        }
        guard !playlist.hasEndList else { return breaches }
        let age = AnswerAge.breaches(update.response.headers, target: playlist.target, mayBlock: asked.sequence != nil)
        for rule in [LiveRules.cache, LiveRules.lastModified] {
            breaches += reported.once(rule.id, age.filter { $0.rule == rule })
        }
        if let number = asked.sequence { breaches += blocked(by: number, asked.part, in: playlist, took: took) }
        return breaches
    }

    private mutating func blocked(
        by number: Int,
        _ part: Int?,
        in playlist: MediaPlaylist,
        took: Double
    ) -> [Breach] {
        let next = playlist.nextSequence
        let hasPart = next > number || next == number && (part.map { playlist.openParts.count > $0 } ?? false)
        schedule.didBlockWithoutResult = !hasPart
        guard !hasPart else { return [] }
        let wanted: Message = (part.map { "part \($0) of " } ?? "") + "segment \(number)"
        let message: Message = "the blocking reload returned after \(DisplayText.seconds(took)) without \(wanted)"
        return reported.once("block-answer", [Breach(LowLatencyRules.blockAnswer, message)])
    }

    // MARK: Failures

    private mutating func fail(_ response: WatchResponse, _ asked: Directives, took: Double, limit: Double) -> WatchStep
    {
        if asked.sequence != nil, took > limit - 1, response.status == 503 || response.status == 0 {
            // A server must end a blocking reload with 503 after this time.
            schedule.didBlockWithoutResult = true
            var step = WatchStep(requests: [request(Directives(), at: response.ended)])
            if response.status == 0 {
                let message: Message = "no response after \(DisplayText.seconds(took)), expected 503"
                step.findings = reported.once("block-end", [Breach(LowLatencyRules.blockEnd, message)])
                    .map { finding($0, response.ended) }
            }
            return step
        }
        return fail(response, response.rateBreach ?? Breach(LiveRules.reload, response.trouble))
    }

    private mutating func fail(_ response: WatchResponse, _ breach: Breach) -> WatchStep {
        let wait = max(schedule.countFailure(target: state?.playlist.target), response.retryAfter ?? .zero)
        figures.failures += 1
        if response.isRefusal { tries.excuse() }
        if let age = news.age(at: response.began) { figures.staleSeconds = age }
        var step = WatchStep(requests: [request(Directives(), at: response.ended + wait)])
        guard schedule.isFailureReported else { return step }
        var repetition: Message = schedule.failures > 1 ? ", \(schedule.failures) times in a row" : ""
        if figures.failures > schedule.failures {
            repetition += ", as \(figures.failures) of \(figures.failures + figures.reloads) loads"
        }
        step.findings = [finding(Breach(breach.rule, breach.message + repetition), response.ended)]
        return step
    }

    /// Requests the whole playlist after a delta update that does not fit.
    private mutating func refuse(_ breach: Breach, _ response: WatchResponse) -> WatchStep {
        schedule.countRejectedUpdate()
        figures.reloads += 1
        return WatchStep(
            requests: [request(Directives(), at: response.ended)],
            findings: [finding(breach, response.ended)]
        )
    }

    /// True if the last response was a whole playlist.
    var hasWholeResponse: Bool { reader.isWhole }

    /// Parses the same bytes again at the next load.
    mutating func forgetResponse() { reader.forget() }
}
