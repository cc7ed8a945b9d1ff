internal import SegueBase
internal import SeguePlaylists

/// Watches one media playlist.
struct PlaylistWatch: Sendable {
    let url: String
    let clock: Double?
    let options: StreamWatch.Options
    let isBlocking: Bool
    /// Whether it is one of I-frames alone, which nobody plays at rate 1.
    let isIFrames: Bool
    let imports: [String: String]

    /// As it was last; nil until it was had.
    var state: PlaylistState?
    var figures = WatchFigures()
    var mark: Fingerprint?
    var trail = DateTrail()
    var stalls = StallModel()
    var checks = SegmentChecks()
    var probes = BlockingProbes()
    var hints = HintChecks()
    var parts = PartLoads()

    /// The longest target duration of the others, in seconds: I-frames come with the segments that they are in.
    var beat = 0.0
    /// What becomes of it since the multivariant playlist lists it no longer; nil while it is listed.
    var leave: Leave?

    /// How often in a row it was not answered, or fell back.
    var failures = 0
    var setbacks = 0
    /// When there was news last, and how old it is when that is told next.
    var newsAt: Instant?
    var toldAge: Double?
    var partsAt: Instant?
    /// The last blocking reload brought nothing.
    var waitedInVain = false
    /// The loads since the last delta update, and since the end.
    var loads = 0
    var endLoads = 0
    /// What an update makes wrong, or the playlist has wrong: the whole tells.
    var doubts: [Breach] = []
    /// What is told once until it is so no longer.
    var told: Set<String> = []

    init(
        _ url: String,
        clock: Double?,
        _ options: StreamWatch.Options,
        isBlocking: Bool,
        isIFrames: Bool = false,
        importing imports: [String: String] = [:]
    ) {
        (self.url, self.clock, self.options) = (url, clock, options)
        (self.isBlocking, self.isIFrames, self.imports) = (isBlocking, isIFrames, imports)
    }

    /// Whether nothing more is expected of it: what has ended is looked at twice more, but where it never changes.
    var isDone: Bool { isLeft || endLoads >= (state?.playlist.kind == .vod ? 1 : 3) }

    /// Whether something was asked for on its behalf that is no playlist.
    func awaits(_ answer: WatchAnswer) -> Bool {
        switch answer.method {
        case _ where isLeft: false
        case .get: parts.awaits(answer.url)
        case .head: checks.awaits(answer.url)
        case .firstByte: hints.awaits(answer.url) || checks.awaits(answer.url)
        }
    }

    /// The first load.
    func begin(at now: Instant) -> WatchRequest { request(Directives(), at: now) }

    func finding(_ breach: Breach, _ now: Instant) -> LiveFinding {
        let message = breach.segment.map { "segment \($0): \(breach.message)" } ?? breach.message
        let place = Place(url: url, segment: breach.segment)
        return LiveFinding(at: now, broken: BrokenRule(rule: breach.rule, place: place, message: message))
    }

    // MARK: Loading

    /// Takes what came of a load.
    mutating func load(_ answer: WatchAnswer, _ asked: Directives) -> WatchStep {
        figures.bytes += answer.bytes.count
        guard !isLeft else { return WatchStep() }
        if let target = state?.playlist.target, let probe = probes.end(answer.url) {
            let breaches = BlockingProbes.judge(probe, answer, target: target) { try? parsed(answer).get() }
            return WatchStep(findings: breaches.map { finding($0, answer.ended) })
        }
        let patience = 3 * (state?.playlist.target ?? 0)
        let took = (answer.ended - answer.began).seconds
        if asked.sequence != nil, took > patience + 1, answer.status == 503 || answer.status == 0 || answer.isThere {
            waitedInVain = true
        }
        guard answer.isThere || leave == nil else { return left() }
        guard answer.isThere else { return fail(answer, asked, took: took, patience: patience) }
        let (whole, skip): (MediaPlaylist, Int?)
        switch read(answer, asked) {
        case .success(let version): (whole, skip) = version
        case .failure(let breach) where breach.rule == LiveRules.delta && asked.skips: return refuse(breach, answer)
        case .failure where leave != nil: return left()
        case .failure(let breach): return fail(answer, breach)
        }
        failures = 0
        figures.reloads += 1
        var breaches = answerBreaches(answer, asked, whole, took)
        if asked.skips { breaches += skipped(whole, skip) }
        var step = WatchStep()
        let changed = accept(whole, answer, asked, isDelta: skip != nil, &breaches, &step)
        if whole.hasEndList { endLoads += 1 } else { endLoads = 0 }
        figures.hasEnded = whole.hasEndList
        loads += 1
        if !doubts.isEmpty {
            step.requests.append(request(Directives(), at: answer.ended))
        } else if !isDone {
            step.requests.append(next(after: answer, asked, changed: changed))
        }
        if let state, changed, options.checksSegments {
            step.requests += hints.requests(state.playlist, state.base, loads: loads, at: answer.ended)
        }
        if loads == 3, !isIFrames, let state, !whole.hasEndList {
            step.requests += probes.requests(url, state.playlist, at: answer.ended)
        }
        breaches += goesOn(answer)
        step.findings += breaches.map { finding($0, answer.ended) }
        return isLeft ? left(with: step.findings) : step
    }

    /// The whole playlist that an answer makes, and how many segments it leaves out; nil where it is no delta update.
    mutating func read(_ answer: WatchAnswer, _ asked: Directives) -> Result<(MediaPlaylist, Int?), Breach> {
        let fingerprint = Fingerprint.of(answer.bytes)
        if let state, mark == fingerprint { return .success((state.playlist, nil)) }
        let playlist: MediaPlaylist
        switch parsed(answer) {
        case .success(let media): playlist = media
        case .failure(let breach): return .failure(breach)
        }
        mark = playlist.skip == nil ? fingerprint : nil
        guard let skip = playlist.skip else { return .success((playlist, nil)) }
        guard let state else { return .failure(Breach(LiveRules.delta, "the first answer is a delta update")) }
        do throws(DeltaUpdateError) {
            var whole = try playlist.applied(to: state.playlist)
            // An update may need a later version than the whole does.
            whole.declaredVersion = state.playlist.declaredVersion
            return .success((whole, skip.segments))
        } catch {
            return .failure(Breach(LiveRules.delta, error.description))
        }
    }

    /// The media playlist that an answer holds.
    func parsed(_ answer: WatchAnswer) -> Result<MediaPlaylist, Breach> {
        do throws(PlaylistError) {
            let limits = PlaylistLimits(bytes: options.mostBytes)
            let read = try Playlist.parse(answer.bytes, from: answer.finalURL, importing: imports, limits: limits)
            guard case .media(let media) = read else {
                return .failure(Breach(LiveRules.readable, "it is a multivariant playlist now"))
            }
            return .success(media)
        } catch {
            return .failure(Breach(LiveRules.readable, error.description))
        }
    }

    /// What an answer breaks by its head and its time.
    mutating func answerBreaches(
        _ answer: WatchAnswer,
        _ asked: Directives,
        _ playlist: MediaPlaylist,
        _ took: Double
    ) -> [Breach] {
        var breaches: [Breach] = []
        if asked.sequence == nil {
            figures.reloadSeconds = took
            breaches += once("slow", took > playlist.target ? [Breach(LiveRules.slow, "it took \(words(took))")] : [])
        }
        guard !playlist.hasEndList else { return breaches }
        let age = AnswerAge.breaches(answer.headers, target: playlist.target, mayBlock: asked.sequence != nil)
        for rule in [LiveRules.cache, LiveRules.lastModified] {
            breaches += once(rule.id, age.filter { $0.rule == rule })
        }
        if let number = asked.sequence { breaches += blocked(number, asked.part, playlist, took) }
        return breaches
    }

    mutating func blocked(_ number: Int, _ part: Int?, _ playlist: MediaPlaylist, _ took: Double) -> [Breach] {
        let next = playlist.nextSequence
        waitedInVain = !(next > number || next == number && (part.map { playlist.openParts.count > $0 } ?? false))
        guard waitedInVain else { return [] }
        let wanted = "segment \(number)" + (part.map { ", part \($0)," } ?? "")
        let text = "it is answered after \(words(took)) without \(wanted) which it was to wait for"
        return once("block-answer", [Breach(LiveRules.blockAnswer, text)])
    }

    /// Breaches that are told when they begin; none, where it is not so.
    mutating func once(_ name: String, _ breaches: [Breach]) -> [Breach] {
        guard !breaches.isEmpty else {
            told.remove(name)
            return []
        }
        return told.insert(name).inserted ? breaches : []
    }
}
