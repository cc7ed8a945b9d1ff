internal import SegueBase
internal import SeguePlaylists

/// Checks the availability of listed and removed segments.
struct SegmentChecks: Sendable {
    /// A request for a listed segment.
    private struct Attempt {
        let number: Int
        /// The time of the load that listed it first.
        let since: Instant
        var count = 1
        /// True if the whole segment is loaded.
        var isSample = false
        /// True if the server wanted a pause before another request.
        var isExcused = false
        /// The byte range of the segment; nil for the whole resource.
        var span: HTTPFacts.Span?
    }

    /// The purpose of a request.
    private enum Purpose {
        case listed(Attempt)
        /// The head of a segment whose GET failed, with the failure.
        case compared(Attempt, Message)
        /// A listed part of a segment.
        case part(Int)
        /// A removed segment that must stay until a deadline, by the draft or, if it is long, by the RFC.
        case kept(Int, until: Instant, isLong: Bool)
    }

    /// The result of a request.
    struct Outcome {
        var breaches: [Breach] = []
        var requests: [WatchRequest] = []
        /// A segment that is available, and since when.
        var usable: Int?
        var since: Instant?
        /// True if the segment is empty, by its head.
        var isEmpty = false
        /// A loaded segment to inspect.
        var loaded: (number: Int, since: Instant)?
    }

    /// The maximum number of new segments that are checked after one load.
    static let loadLimit = 5
    private static let attemptLimit = 4
    private static let openLimit = 32
    /// The time between a request and its deadline in seconds.
    private static let margin = 1.0

    /// The longest duration of the playlist so far in seconds.
    var longest = 0.0

    private var open: [String: Purpose] = [:]
    /// True while the check of a removed segment is open; there is one at a time.
    private var keeps = false
    private var seen = SeenContent()
    /// True if the server refuses HEAD; nil before the first response.
    private var refusesHead: Bool?
    /// The status of refused HEAD requests, by the URLs of the open GET requests in their place.
    private var headRefusals: [String: Int] = [:]
    private var notes: [Breach] = []
    /// True while the server returns 429.
    private var isLimited = false
    private(set) var tries = SecondTries("segments")

    /// Returns true if a request for a URL is open.
    func awaits(_ url: String) -> Bool { open[url] != nil }

    /// Returns true if a request of this method is open.
    func awaits(_ url: String, _ method: WatchRequest.Method) -> Bool {
        open[url].map { (self.method(of: $0, url) == .get) == (method == .get) } ?? false
    }

    mutating func forget() {
        (open, headRefusals) = ([:], [:])
        keeps = false
        seen.forget()
    }

    /// Returns requests for listed segments.
    mutating func listed(
        _ numbers: [Int],
        loading samples: Set<Int>,
        of playlist: MediaPlaylist,
        from base: URIReference.Base,
        at now: Instant
    ) -> [(number: Int, request: WatchRequest)] {
        numbers.compactMap { number in
            let segment = playlist.segments[number - playlist.mediaSequence]
            var attempt = Attempt(number: number, since: now)
            attempt.isSample = samples.contains(number)
            attempt.span = segment.byteRange.map { HTTPFacts.Span(offset: $0.offset, length: $0.length) }
            let request = request(base.resolve(segment.uri), .listed(attempt), at: now)
            return request.map { (number, $0) }
        }
    }

    /// Returns a request for the last listed part.
    mutating func part(_ playlist: MediaPlaylist, _ base: URIReference.Base, at now: Instant) -> [WatchRequest] {
        guard let part = playlist.openParts.last, !part.isGap, part.byteRange == nil else { return [] }
        return [request(base.resolve(part.uri), .part(playlist.nextSequence), at: now)].compactMap(\.self)
    }

    /// Returns a later request for one of the removed segments.
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
        // The resource of an I-frame stays as a part of the segment.
        guard !segment.isGap, !state.playlist.isIFramesOnly || segment.byteRange == nil else { return [] }
        let url = state.base.resolve(segment.uri)
        let kept = available(segment)
        // The segment was still listed at the previous load, and not yet listed at its last load without it.
        let long = state.began + kept
        let short = state.segments[index].missing.map { $0 + kept }
        guard let short, short > now + .seconds(Self.margin) else {
            let request = request(
                url,
                .kept(number, until: long, isLong: true),
                at: long + .seconds(-Self.margin),
                from: now
            )
            keeps = request != nil
            return [request].compactMap(\.self)
        }
        let request = request(
            url,
            .kept(number, until: short, isLong: false),
            at: short + .seconds(-Self.margin),
            from: now
        )
        keeps = request != nil
        longUntil = long
        return [request].compactMap(\.self)
    }

    /// Returns the required availability of a segment: its duration plus the longest playlist.
    private func available(_ segment: MediaSegment) -> Duration {
        Duration.seconds(segment.duration.seconds + min(longest, 86_400))
    }

    /// The deadline of the RFC for the checked segment.
    private var longUntil: Instant?

    private mutating func request(
        _ url: String,
        _ purpose: Purpose,
        at instant: Instant,
        from now: Instant? = nil
    ) -> WatchRequest? {
        guard open.count < Self.openLimit, url.hasPrefix("http"), open[url] == nil else { return nil }
        open[url] = purpose
        var request = WatchRequest(
            method: method(of: purpose, url),
            url: url,
            at: max(instant, now ?? instant),
            patience: .seconds(15),
            mayBlock: false
        )
        if case .listed(let attempt) = purpose, attempt.isSample {
            // Repeated requests are not delayed by the rate.
            request.isSample = attempt.count == 1
            (request.most, request.span) = (WatchRequest.sampleLimit, attempt.span)
        }
        return request
    }

    private func method(of purpose: Purpose, _ url: String) -> WatchRequest.Method {
        switch purpose {
        case .listed(let attempt) where attempt.isSample: .get
        case .compared: .head
        default: refusesHead == true || headRefusals[url] != nil ? .firstByte : .head
        }
    }

    /// Requests the head of a segment in place of the whole, since the rate leaves no room.
    mutating func shrink(_ request: WatchRequest) -> WatchRequest {
        guard case .listed(var attempt)? = open[request.url] else { return request }
        attempt.isSample = false
        open[request.url] = .listed(attempt)
        return WatchRequest(
            method: method(of: .listed(attempt), request.url),
            url: request.url,
            at: request.at,
            patience: request.patience,
            mayBlock: false
        )
    }

    /// Handles a response.
    mutating func take(_ response: WatchResponse, in state: PlaylistState?) -> Outcome {
        guard let purpose = open.removeValue(forKey: response.url) else { return Outcome() }
        if let outcome = withoutHead(purpose, response) { return outcome }
        switch purpose {
        case .listed(let attempt): return listed(attempt, response, in: state)
        case .compared(let attempt, let trouble):
            let head: Message = "GET: \(trouble); HEAD: \(response.trouble)"
            return missing(attempt, response, in: state, trouble: head)
        case .part(let number):
            guard !response.isThere, state?.playlist.nextSequence == number else { return Outcome() }
            return Outcome(breaches: [
                Breach(LowLatencyRules.partThere, "\(value: response.url): \(response.trouble)", segment: number)
            ])
        case .kept(let number, let until, let isLong): return kept(number, until: until, isLong: isLong, response)
        }
    }

    /// Repeats a request as a GET of the first byte if the server refuses HEAD; nil if it does not.
    ///
    /// Addresses that are signed for GET are refused as if they were missing.
    private mutating func withoutHead(_ purpose: Purpose, _ response: WatchResponse) -> Outcome? {
        if case .compared = purpose { return nil }
        let former = headRefusals.removeValue(forKey: response.url)
        switch response.method {
        case .get: return nil
        case .head:
            if response.isThere { refusesHead = false }
            let isRefused = [400, 405, 501].contains(response.status)
            guard isRefused || refusesHead == nil && [403, 404].contains(response.status) else { return nil }
            headRefusals[response.url] = response.status
            return Outcome(requests: [request(response.url, purpose, at: response.ended)].compactMap(\.self))
        case .firstByte:
            guard let former, response.isThere else { return nil }
            if refusesHead != true {
                notes = [Breach(HTTPRules.head.rule, "HEAD returns \(former), GET returns \(response.status)")]
            }
            refusesHead = true
            return nil
        }
    }

    private mutating func listed(
        _ attempt: Attempt,
        _ response: WatchResponse,
        in state: PlaylistState?
    ) -> Outcome {
        let number = attempt.number
        guard response.isThere else {
            // The head shows whether only GET fails.
            if response.method == .get, response.failure == nil, response.status != 429, attempt.count == 1,
                let request = request(response.url, .compared(attempt, response.trouble), at: response.ended)
            {
                return Outcome(requests: [request])
            }
            return missing(attempt, response, in: state, trouble: "\(response.methodName): \(response.trouble)")
        }
        let since = attempt.count == 1 ? attempt.since : response.ended
        let segment = state?.playlist.segment(number)
        let size = SeenContent.size(response)
        if let range = segment?.byteRange, let size,
            Int64(size) < range.offset.addingReportingOverflow(range.length).partialValue
        {
            let message: Message =
                "the resource has \(size) bytes, the segment is bytes \(range.offset) to "
                + "\(range.offset + range.length - 1)"
            return missing(attempt, response, in: state, trouble: message)
        }
        var outcome = Outcome(breaches: tries.load(after: attempt.isExcused ? 0 : attempt.count - 1))
        if response.method == .get {
            outcome.loaded = (number, since)
        } else {
            outcome.isEmpty = size == 0
            (outcome.usable, outcome.since) = (number, since)
        }
        // A resource that grows with each segment changes each time.
        if let segment, segment.byteRange == nil { outcome.breaches += seen.take(response, number) }
        return outcome
    }

    /// Returns the breach of a server that refuses HEAD, once.
    mutating func takeNotes() -> [Breach] {
        defer { notes = [] }
        return notes
    }

    private mutating func missing(
        _ attempt: Attempt,
        _ response: WatchResponse,
        in state: PlaylistState?,
        trouble: Message
    ) -> Outcome {
        let number = attempt.number
        // A segment that was removed in the meantime need not be checked.
        guard let playlist = state?.playlist, playlist.sequences.contains(number) else { return Outcome() }
        var outcome = Outcome()
        let isLast = attempt.count == Self.attemptLimit
        if let breach = response.rateBreach, !isLast {
            outcome.breaches = isLimited ? [] : [breach]
        } else if attempt.count == 1 || isLast && isLimited {
            outcome.breaches = [Breach(LiveRules.segmentThere, "\(value: response.url): \(trouble)", segment: number)]
        }
        isLimited = response.status == 429
        guard !isLast else { return outcome }
        let wait = max(.seconds(min(playlist.target / 2, 10)), response.retryAfter ?? .zero)
        let again = response.ended + wait
        var next = attempt
        next.count += 1
        if response.isRefusal { next.isExcused = true }
        outcome.requests = [request(response.url, .listed(next), at: again)].compactMap(\.self)
        return outcome
    }

    private mutating func kept(
        _ number: Int,
        until: Instant,
        isLong: Bool,
        _ response: WatchResponse
    ) -> Outcome {
        keeps = false
        // After the deadline it may be missing, and other failures are not conclusive.
        guard response.ended <= until else { return Outcome() }
        if response.isThere {
            guard !isLong, let long = longUntil else { return Outcome() }
            let at = long + .seconds(-Self.margin)
            let request = request(response.url, .kept(number, until: long, isLong: true), at: at, from: response.ended)
            keeps = request != nil
            return Outcome(requests: [request].compactMap(\.self))
        }
        guard [403, 404, 410].contains(response.status) else { return Outcome() }
        let rule = isLong ? LiveRules.segmentKeptLong : LiveRules.segmentKept
        let early = DisplayText.seconds((until - response.ended).seconds)
        return Outcome(
            breaches: [Breach(rule, "\(response.trouble), at least \(early) before its deadline", segment: number)]
        )
    }
}
