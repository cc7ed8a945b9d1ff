package import SegueBase
internal import SeguePlaylists

/// Watches one stream: a multivariant playlist with its media playlists, or one media playlist.
///
/// It is given what servers answered, in the order in which the answers ended, and says what it wants next and what it
/// has found. What it holds does not grow with the time that it watches: the playlists as they were last, what is known of
/// the segments in them, and a few that were removed lately.
package struct StreamWatch: Sendable {
    /// How it watches.
    package struct Options: Sendable {
        /// The most bytes that a playlist may have.
        package var mostBytes = 16 << 20
        /// The most media playlists that are watched.
        package var mostPlaylists = 40
        /// The most of them that servers are asked to hold.
        package var mostBlocking = 4
        /// Whether segments are looked for.
        package var checksSegments = true

        /// The usual ones.
        package init() {}
    }

    /// What was named.
    package let url: String

    let options: Options
    /// What a clock shows at the instant zero, in seconds since 1970; nil where none was looked at.
    let clock: Double?
    var playlists: [PlaylistWatch] = []
    /// Nil where one media playlist is watched.
    var multivariant: MultivariantWatch?
    /// What was measured of playlists that are no longer watched, and have made room.
    var former = WatchFigures()
    private var isOpen = false
    private var failures = 0
    /// How often in a row the multivariant playlist, or the first, was not answered.
    var row = 0
    private var last = Instant.zero
    var entryBytes = 0
    private var steps = RenditionSteps()

    /// A watch of a stream.
    ///
    /// - Parameters:
    ///   - url: Its playlist, absolute.
    ///   - clock: What a clock shows at the instant zero, in seconds since 1970; nil to look at no clock.
    ///   - options: How it watches.
    package init(_ url: String, clock: Double?, options: Options = Options()) {
        (self.url, self.clock, self.options) = (Directives.taken(from: url).url, clock, options)
    }

    /// What is wanted first.
    package func begin(at now: Instant) -> [WatchRequest] { [entry(at: now)] }

    func entry(at now: Instant) -> WatchRequest {
        WatchRequest(method: .get, url: url, at: now, patience: .seconds(20), mayBlock: false)
    }

    /// The most bytes that an answer may have.
    package var mostBytes: Int { options.mostBytes }

    /// Whether all that it watches has ended.
    package var hasEnded: Bool { isOpen && playlists.allSatisfy(\.isDone) && (playlists.isEmpty || !watched.isEmpty) }

    /// What has been measured of the stream.
    package var figures: WatchFigures {
        var sum = WatchFigures()
        for playlist in watched { sum.add(playlist.figures) }
        for playlist in playlists where playlist.isLeft { sum.add(past: playlist.figures) }
        sum.add(past: former)
        sum.failures += failures
        sum.bytes += entryBytes
        sum.hasEnded = !watched.isEmpty && watched.allSatisfy(\.figures.hasEnded)
        return sum
    }

    /// Each media playlist with what has been measured of it.
    package var parts: [(url: String, figures: WatchFigures)] { watched.map { ($0.url, $0.figures) } }

    private var watched: [PlaylistWatch] { playlists.filter { !$0.isLeft } }

    /// Takes what came of a request.
    package mutating func take(_ answer: WatchAnswer) -> WatchStep {
        last = max(last, answer.ended)
        guard isOpen else { return open(answer) }
        let asked = Directives.taken(from: answer.url)
        if answer.method == .get, asked.url == url, multivariant != nil { return reload(answer) }
        if answer.method == .get, let index = playlists.firstIndex(where: { $0.url == asked.url && !$0.isLeft }) {
            if playlists[index].isIFrames { playlists[index].beat = beat }
            var step = playlists[index].load(answer, asked.directives)
            if playlists[index].isLeft {
                steps.forget(index)
                return step
            }
            step.findings += steps.findings(of: index, in: playlists, at: answer.ended)
            return step
        }
        for index in playlists.indices where playlists[index].awaits(answer) {
            return playlists[index].check(answer)
        }
        return WatchStep()
    }

    /// The longest target duration of what is no list of I-frames, in seconds.
    private var beat: Double {
        playlists.filter { !$0.isIFrames }.compactMap(\.state?.playlist.target).max() ?? 0
    }

    /// What is to be said at the end, as it was at the last answer.
    package mutating func finish() -> [LiveFinding] {
        playlists.indices.flatMap { playlists[$0].finish(at: last) }
    }

    // MARK: The beginning

    private mutating func open(_ answer: WatchAnswer) -> WatchStep {
        guard answer.method == .get, Directives.taken(from: answer.url).url == url else { return WatchStep() }
        entryBytes += answer.bytes.count
        guard answer.isThere else { return retry(answer, LiveRules.reload, answer.trouble) }
        switch parsed(answer) {
        case .failure(let error): return retry(answer, LiveRules.readable, error.description)
        case .success(.media):
            (isOpen, row) = (true, 0)
            entryBytes -= answer.bytes.count
            playlists = [PlaylistWatch(url, clock: clock, options, isBlocking: true)]
            return take(answer)
        case .success(.multivariant(let playlist)):
            (isOpen, row) = (true, 0)
            return begin(playlist, from: answer)
        }
    }

    func parsed(_ answer: WatchAnswer) -> Result<Playlist, PlaylistError> {
        Result { () throws(PlaylistError) in
            try Playlist.parse(answer.bytes, from: answer.finalURL, limits: PlaylistLimits(bytes: options.mostBytes))
        }
    }

    /// A stream that is not there yet may come; it is asked for again, ever less often.
    mutating func retry(_ answer: WatchAnswer, _ rule: Rule, _ message: String) -> WatchStep {
        failures += 1
        row += 1
        let wait = min(5 * row, 30)
        let isTold = row & (row - 1) == 0
        let broken = BrokenRule(rule: rule, place: Place(url: url), message: message)
        return WatchStep(
            requests: [entry(at: answer.ended + .seconds(wait))],
            findings: isTold ? [LiveFinding(at: answer.ended, broken: broken)] : []
        )
    }
}
