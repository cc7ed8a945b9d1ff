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

    /// A watch of a stream.
    ///
    /// - Parameters:
    ///   - url: The absolute URL of its playlist.
    ///   - clock: The time of the clock at instant zero in seconds since 1970; nil to skip comparisons with the clock.
    ///   - options: The limits of the watch.
    package init(_ url: String, clock: Double?, options: Options = Options()) {
        (self.url, self.clock, self.options) = (Directives.split(url).url, clock, options)
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
        sum.hasEnded = !watched.isEmpty && watched.allSatisfy(\.figures.hasEnded)
        return sum
    }

    /// The measurements of each media playlist.
    package var parts: [(url: String, figures: WatchFigures)] { watched.map { ($0.url, $0.figures) } }

    private var watched: [PlaylistWatch] { playlists.filter { !$0.isLeft } }

    /// Handles a response.
    package mutating func take(_ response: WatchResponse) -> WatchStep {
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
        for index in playlists.indices where playlists[index].awaits(response) {
            return playlists[index].check(response)
        }
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
            return take(response)
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
        let wait = min(5 * row, 30)
        let isReported = row & (row - 1) == 0
        let broken = BrokenRule(rule: rule, place: Place(url: url), message: message)
        return WatchStep(
            requests: [entry(at: response.ended + .seconds(wait))],
            findings: isReported ? [LiveFinding(at: response.ended, broken: broken)] : []
        )
    }
}
