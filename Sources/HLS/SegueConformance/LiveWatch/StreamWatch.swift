package import SegueBase
internal import SeguePlaylists

/// Watches one stream: a multivariant playlist with its media playlists, or one media playlist.
///
/// The watch does no I/O: it handles responses in the order in which they ended, and returns its next requests and its
/// findings. Its memory does not grow with time: it keeps the last versions of the playlists, the facts of their
/// segments, and a few recently removed segments.
package struct StreamWatch: Sendable {
    package struct Options: Sendable {
        /// The maximum size of a playlist in bytes.
        package var mostBytes = 16 << 20
        /// The maximum number of watched media playlists.
        package var mostPlaylists = 40
        /// The maximum number of them with blocking reloads.
        package var mostBlocking = 4
        /// True to check the availability of segments.
        package var checksSegments = true
        /// The share of the segments that are loaded and inspected.
        package var media = MediaShare.none
        /// The maximum average rate of samples in bytes per second.
        package var mediaRate = 4e6

        package init() {}
    }

    /// The URL of the stream's playlist.
    package let url: String

    let options: Options
    /// The time of the clock at instant zero in seconds since 1970; nil to skip comparisons with the clock.
    let clock: Double?
    var playlists: [PlaylistWatch] = []
    /// Nil for a single media playlist.
    var multivariant: MultivariantWatch?
    /// The figures of playlists that are no longer watched.
    var former = WatchFigures()
    private var isOpen = false
    private var failures = 0
    /// The number of consecutive failures of the entry playlist.
    var row = 0
    private var last = Instant.zero
    var entryBytes = 0
    private var steps = RenditionSteps()
    private var budget: SampleBudget
    private var connections = ConnectionMonitor()
    private var loudness = LoudnessComparison()

    /// A watch of a stream.
    ///
    /// - Parameters:
    ///   - url: The absolute URL of its playlist.
    ///   - clock: The time of the clock at instant zero in seconds since 1970; nil to skip comparisons with the clock.
    ///   - options: The limits of the watch.
    package init(_ url: String, clock: Double?, options: Options = Options()) {
        (self.url, self.clock, self.options) = (Directives.split(url).url, clock, options)
        budget = SampleBudget(rate: options.media == .all ? nil : options.mediaRate)
    }

    /// Returns the first requests.
    package func begin(at now: Instant) -> [WatchRequest] { [entry(at: now)] }

    func entry(at now: Instant) -> WatchRequest {
        WatchRequest(method: .get, url: url, at: now, patience: .seconds(20), mayBlock: false)
    }

    /// The maximum size of a response in bytes.
    package var mostBytes: Int { options.mostBytes }

    package var hasEnded: Bool { isOpen && playlists.allSatisfy(\.isDone) && (playlists.isEmpty || !watched.isEmpty) }

    /// The measurements of the stream.
    package var figures: WatchFigures {
        var sum = WatchFigures()
        for playlist in watched { sum.add(playlist.figures) }
        for playlist in playlists where playlist.isLeft { sum.add(past: playlist.figures) }
        sum.add(past: former)
        sum.failures += failures
        sum.bytes += entryBytes
        sum.connection = connections.all
        sum.hasEnded = !watched.isEmpty && watched.allSatisfy(\.figures.hasEnded)
        return sum
    }

    /// The measurements of each media playlist.
    package var parts: [(url: String, figures: WatchFigures)] { watched.map { ($0.url, $0.figures) } }

    /// The rules that are broken at the moment, as far as that has an end.
    package var broken: Set<HeldCondition> {
        var all = Set(watched.flatMap { watch in watch.broken.map { HeldCondition(rule: $0, playlist: watch.url) } })
        all.formUnion(loudness.broken.map { HeldCondition(rule: SampleRules.loudness.id, playlist: $0) })
        if row > 0 {
            all.formUnion([LiveRules.reload, LiveRules.readable].map { HeldCondition(rule: $0.id, playlist: url) })
        }
        if connections.isUnreliable { all.insert(HeldCondition(rule: ClientRules.kept.rule.id, playlist: url)) }
        return all
    }

    private var watched: [PlaylistWatch] { playlists.filter { !$0.isLeft } }

    /// Handles a response.
    package mutating func take(_ response: WatchResponse) -> WatchStep {
        if response.method == .get { budget.count(response.url, awaitsSample(response) ? response.bytes.count : 0) }
        var step = bounded(handle(response), at: response.ended)
        if let message = connections.take(response.connection) {
            let broken = BrokenRule(rule: ClientRules.kept.rule, place: Place(url: url), message: message)
            step.findings.append(LiveFinding(at: response.ended, broken: broken))
        }
        return step
    }

    /// Handles the result of an inspection.
    package mutating func take(_ sample: SampleResult) -> WatchStep {
        guard let index = playlists.firstIndex(where: { $0.url == sample.playlist && !$0.isLeft }) else {
            return WatchStep()
        }
        var step = WatchStep(findings: playlists[index].take(sample))
        if let level = sample.loudness {
            loudness.keep(Set(watched.map(\.url)))
            let breaches = loudness.take(
                LoudnessComparison.Level(
                    number: sample.number,
                    date: playlists[index].state?.date(of: sample.number),
                    loudness: level
                ),
                of: sample.playlist
            )
            step.findings += breaches.map { playlists[index].finding($0, sample.ended) }
        }
        return step
    }

    /// Returns the request for the head of a segment in place of its sample, for which there is no time.
    package mutating func decline(_ request: WatchRequest) -> WatchRequest {
        budget.count(request.url, 0)
        let url = request.url
        let index = playlists.firstIndex { !$0.isLeft && $0.supply.probes.segments.awaits(url) }
        return index.map { playlists[$0].supply.shrink(request) } ?? request
    }

    private func awaitsSample(_ response: WatchResponse) -> Bool {
        playlists.contains { !$0.isLeft && $0.supply.probes.segments.awaits(response.url) }
    }

    /// Replaces the samples for which the rate leaves no room by requests for their heads, and defers those for which
    /// another one is loaded, so that all playlists have samples of the same content.
    private mutating func bounded(_ step: WatchStep, at now: Instant) -> WatchStep {
        var step = step
        let wanted = budget.deferred + step.requests.filter(\.isSample)
        step.requests.removeAll(where: \.isSample)
        budget.deferred = []
        for request in wanted {
            let url = request.url
            guard let index = playlists.firstIndex(where: { !$0.isLeft && $0.supply.probes.segments.awaits(url) })
            else {
                continue
            }
            var request = request
            request.at = max(request.at, now)
            // A playlist that was denied often comes first.
            let most = playlists.map(\.supply.schedule.denials).max() ?? 0
            let isFirst = playlists[index].supply.schedule.denials + 2 >= most
            switch isFirst ? budget.decide(url, at: now) : .leaveOut {
            case .load:
                playlists[index].supply.grant()
                step.requests.append(request)
            case .wait: budget.deferred.append(request)
            case .leaveOut: step.requests.append(playlists[index].supply.shrink(request))
            }
        }
        return step
    }

    private mutating func handle(_ response: WatchResponse) -> WatchStep {
        last = max(last, response.ended)
        guard isOpen else { return open(response) }
        let asked = Directives.split(response.url)
        if response.method == .get, asked.url == url, multivariant != nil { return reload(response) }
        if response.method == .get, let index = playlists.firstIndex(where: { $0.url == asked.url && !$0.isLeft }) {
            if playlists[index].source.isIFrames { playlists[index].beat = beat }
            var step = playlists[index].load(response, asked.directives)
            if playlists[index].isLeft {
                steps.forget(index)
                return step
            }
            step.findings += steps.findings(of: index, in: playlists, at: response.ended)
            return step
        }
        // In a replay, the recording decides which segments were loaded.
        let index =
            playlists.firstIndex { $0.awaits(response) }
            ?? playlists.firstIndex { !$0.isLeft && $0.supply.probes.segments.awaits(response.url) }
        if let index { return playlists[index].check(response) }
        return WatchStep()
    }

    /// The longest target duration, without I-frame playlists, in seconds.
    private var beat: Double {
        playlists.filter { !$0.source.isIFrames }.compactMap(\.state?.playlist.target).max() ?? 0
    }

    /// Returns the findings at the end of the watch, as of the last response.
    package mutating func finish() -> [LiveFinding] {
        playlists.indices.flatMap { playlists[$0].finish(at: last) }
    }

    // MARK: Start

    private mutating func open(_ response: WatchResponse) -> WatchStep {
        guard response.method == .get, Directives.split(response.url).url == url else { return WatchStep() }
        entryBytes += response.bytes.count
        guard response.isThere else { return retry(response, LiveRules.reload, message: response.trouble) }
        switch parsed(response) {
        case .failure(let error): return retry(response, LiveRules.readable, message: error.finding)
        case .success(.media):
            (isOpen, row) = (true, 0)
            entryBytes -= response.bytes.count
            playlists = [PlaylistWatch(WatchedPlaylist(url: url, clock: clock, options: options, isBlocking: true))]
            return handle(response)
        case .success(.multivariant(let playlist)):
            (isOpen, row) = (true, 0)
            return begin(playlist, from: response)
        }
    }

    func parsed(_ response: WatchResponse) -> Result<Playlist, PlaylistError> {
        Result { () throws(PlaylistError) in
            try Playlist.parse(
                response.bytes,
                from: response.finalURL,
                limits: PlaylistLimits(bytes: options.mostBytes)
            )
        }
    }

    /// Schedules another load with increasing delays, since the stream may not have started.
    mutating func retry(_ response: WatchResponse, _ rule: Rule, message: Message) -> WatchStep {
        failures += 1
        row += 1
        let rule = response.status == 429 ? SampleRules.rateLimited : rule
        let message = response.rateBreach?.message ?? message
        let wait = max(.seconds(min(5 * row, 30)), response.retryAfter ?? .zero)
        let isReported = row & (row - 1) == 0
        let broken = BrokenRule(rule: rule, place: Place(url: url), message: message)
        return WatchStep(
            requests: [entry(at: response.ended + wait)],
            findings: isReported ? [LiveFinding(at: response.ended, broken: broken)] : []
        )
    }
}
