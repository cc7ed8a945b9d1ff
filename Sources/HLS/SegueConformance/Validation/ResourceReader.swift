internal import Foundation
internal import SegueBase
internal import SegueFetch
internal import Synchronization

/// Loads the resources of a validation, remote or local.
final class ResourceReader: Sendable {
    /// A loaded resource.
    struct Resource {
        var bytes: [UInt8]
        /// The HTTP responses; nil for files and for resources that were not loaded.
        var http: HTTPFacts?
        /// The reason why loading failed; nil if it succeeded.
        var failure: Message?
        /// True if the resource was skipped, so that the failure is not a finding.
        var isLeftOut = false
    }

    /// A request for a resource.
    struct Wanted {
        /// An http, https, or file URL.
        let url: String
        let role: HTTPFacts.Role
        /// The byte range; nil for the whole resource.
        var range: FetchRange?
        /// True to send further requests that probe the server.
        var isProbed = false
    }

    /// The `Origin` of all requests, a host that does not exist.
    static let origin = "https://player.invalid"

    let options: ValidationOptions
    private let fetcher: any TimedFetching
    /// The origin of the playlist, the only one that gets ``ValidationOptions/headers``; nil for a file.
    let home: String?
    private let end: ContinuousClock.Instant
    private let pace: RequestPace
    private let requests = Mutex(0)
    /// The number of requests that may still be repeated after a failure.
    private let repetitions = Mutex(20)
    /// The roles whose resources were requested with the names of other clients.
    let comparedRoles = Mutex<Set<HTTPFacts.Role>>([])
    private let counted = Mutex(0)

    init(for playlist: String, by fetcher: any TimedFetching, options: ValidationOptions) {
        (self.fetcher, self.options) = (fetcher, options)
        home = FetchURL(playlist)?.origin
        end = .now + options.time
        pace = RequestPace(rate: options.rate)
    }

    /// The number of bytes loaded so far.
    var bytes: Int { counted.withLock { $0 } }

    /// Counts bytes that another component loaded.
    func count(_ bytes: Int) { counted.withLock { $0 += bytes } }

    /// True after the time limit of the whole validation.
    var isOver: Bool { ContinuousClock.now >= end }

    /// Loads several resources, a few at a time, and returns them in the given order.
    func read(_ all: [Wanted]) -> [Resource] {
        guard all.count > 1, options.width > 1 else { return all.map(read) }
        let next = Mutex(0)
        let done = Mutex([Int: Resource]())
        let group = DispatchGroup()
        for _ in 0..<min(all.count, options.width) {
            group.enter()
            Thread { [self] in
                while case let index = next.withLock({ number in
                    defer { number += 1 }; return number
                }), index < all.count {
                    let resource = read(all[index])
                    done.withLock { $0[index] = resource }
                }
                group.leave()
            }.start()
        }
        group.wait()
        let resources = done.withLock { $0 }
        return all.indices.map { resources[$0] ?? Resource(bytes: [], failure: "not loaded") }
    }

    /// Loads one resource.
    func read(_ wanted: Wanted) -> Resource {
        guard !isOver else { return Resource(bytes: [], failure: "the time limit was reached", isLeftOut: true) }
        guard RemotePlace.isRemote(wanted.url) else { return local(wanted) }
        let limit = limit(for: wanted.role)
        var exchange = send(wanted.url, range: wanted.range, limit: limit)
        let first = repeated(&exchange, wanted, limit: limit)
        counted.withLock { $0 += exchange.body.count }
        var facts = HTTPFacts(wanted.role, url: wanted.url, finalURL: exchange.url, get: exchange.answer)
        facts.first = first
        facts.span = wanted.range.map { HTTPFacts.Span(offset: $0.offset, length: $0.length) }
        (facts.redirects, facts.origin) = (exchange.redirects, Self.origin)
        // Without a query and header fields, the request is already a bare one.
        if options.headers.isEmpty, !wanted.url.contains("?") { facts.bare = exchange.answer }
        let isWhole = exchange.answer.isThere && exchange.answer.trouble == nil
        if isWhole { facts.body = BodyKind(exchange.body) }
        if wanted.isProbed, options.judgesDelivery, isWhole, exchange.answer.status == 200 {
            probe(&facts, exchange.body)
        }
        var failure: Message? = exchange.answer.failure.isEmpty ? nil : exchange.answer.failure
        if failure == nil, !exchange.answer.isThere { failure = exchange.answer.statusText }
        // A server without range support returns the whole resource.
        var kept = exchange.body[...]
        if let range = wanted.range, exchange.answer.status == 200 {
            kept = kept.dropFirst(Int(clamping: range.offset)).prefix(Int(clamping: range.length))
        }
        return Resource(bytes: failure == nil ? Array(kept) : [], http: facts, failure: failure)
    }

    /// Repeats a failed request once; returns the first response if the second one succeeds.
    private func repeated(_ exchange: inout Exchange, _ wanted: Wanted, limit: Int) -> HTTPAnswer? {
        let former = exchange.answer
        let isRefused = [403, 404, 408, 410].contains(former.status) || (500...599).contains(former.status)
        let isBroken = former.trouble == .truncated || former.trouble == .other
        guard options.judgesDelivery, isRefused || isBroken, !isOver,
            repetitions.withLock({ left in
                left -= 1
                return left >= 0
            })
        else { return nil }
        let again = send(wanted.url, range: wanted.range, limit: limit)
        guard again.answer.isThere, again.answer.trouble == nil else { return nil }
        exchange = again
        return former
    }

    private func limit(for role: HTTPFacts.Role) -> Int {
        switch role {
        case .playlist: options.mostPlaylistBytes
        case .initialization, .segment: options.mostSegmentBytes
        case .key: options.mostKeyBytes
        }
    }

    /// Reads a local file, which only a local playlist may name.
    private func local(_ wanted: Wanted) -> Resource {
        let scheme = wanted.url.prefix { $0 != ":" }
        guard home == nil, wanted.url.hasPrefix("file://") else {
            return Resource(bytes: [], failure: "the scheme \(scheme) is not supported", isLeftOut: true)
        }
        switch LocalFile.read(wanted.url, range: wanted.range, limit: limit(for: wanted.role)) {
        case .success(let bytes):
            counted.withLock { $0 += bytes.count }
            return Resource(bytes: bytes)
        case .failure(let trouble): return Resource(bytes: [], failure: Message(words: trouble.words))
        }
    }

    enum Method { case get, head, options }

    /// A response with its body and its redirects.
    struct Exchange {
        var answer: HTTPAnswer
        var body: [UInt8] = []
        /// The URL after redirects.
        var url: String
        var redirects: [HTTPFacts.Redirect] = []
    }

    /// Sends one request without following redirects.
    func sendOnce(
        _ url: String,
        range: FetchRange?,
        method: Method,
        headers: [(name: String, value: String)],
        limit: Int
    ) -> (answer: HTTPAnswer, body: [UInt8]) {
        var refusals = 0
        while true {
            let (answer, before) = attempt(url, range: range, method: method, headers: headers, limit: limit)
            guard let wait = pause(after: answer.response, refusals), .now + wait < end else {
                return result(answer, limit: limit, after: before, refusals)
            }
            if answer.response.status == 429 { pace.hold(url, for: wait) }
            refusals += 1
            options.wait(wait)
        }
    }

    private static let refusalLimit = 3
    /// The longest pause that is kept to.
    private static let longestPause = Duration.seconds(60)

    /// The pause that a server asks for after a refusal; nil for another response.
    private func pause(after response: FetchResponse, _ refusals: Int) -> Duration? {
        guard refusals < Self.refusalLimit, response.status == 429 || response.status == 503 else { return nil }
        let wait = RetryAfter.delay(in: response.headers) ?? (response.status == 429 ? .seconds(1) : nil)
        return wait.flatMap { $0 <= Self.longestPause ? $0 : nil }
    }

    private func sleep(until instant: ContinuousClock.Instant) {
        let wait = instant - .now
        if wait > .zero { options.wait(wait) }
    }

    /// Sends one request at the pace of the validation; returns the response, and the number of requests to the server
    /// in the ten seconds before.
    private func attempt(
        _ url: String,
        range: FetchRange?,
        method: Method,
        headers: [(name: String, value: String)],
        limit: Int
    ) -> (answer: TimedAnswer, before: Int) {
        let place = pace.place(for: url)
        sleep(until: min(place.at, end))
        let id = requests.withLock { number in
            number += 1
            return FetchID(number)
        }
        var request = FetchRequest(
            id: id,
            url: url,
            range: range,
            headers: headers,
            patience: options.patience,
            limit: limit
        )
        request.followsRedirects = false
        request.isHead = method == .head
        if method == .options { request.method = "OPTIONS" }
        // libcurl counts whole milliseconds; a millisecond more ends the request after the limit, not just before it.
        request.wholePatience = max(.zero, end - .now) + .milliseconds(1)
        return (fetcher.timed(request), place.before)
    }

    private func result(
        _ answer: TimedAnswer,
        limit: Int,
        after requests: Int,
        _ refusals: Int
    ) -> (answer: HTTPAnswer, body: [UInt8]) {
        let fields = Dictionary(answer.response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        var result = HTTPAnswer(status: answer.response.status, headers: fields, size: answer.body.count)
        result.headSeconds = answer.firstByte / .seconds(1)
        result.seconds = result.headSeconds + answer.rest / .seconds(1)
        (result.version, result.connection) = (answer.response.version, answer.response.connection)
        (result.requestsBefore, result.refusals) = (requests, refusals)
        guard let failure = answer.response.failure else { return (result, answer.body) }
        (result.trouble, result.failure) = trouble(failure, limit: limit)
        return (result, answer.body)
    }

    /// Returns the kind of a failure and its text without the URL.
    private func trouble(_ failure: FetchError, limit: Int) -> (HTTPAnswer.Trouble, Message) {
        let text = Message(quoting: failure.cause)
        if failure.isUndecodable { return (.undecodable, text) }
        return switch failure.reason {
        case .untrusted: (.untrusted, text)
        case .tooLarge: (.tooLarge, "the resource is larger than the limit of \(limit) bytes")
        case .truncated: (.truncated, text)
        case .tooManyRedirects: (.redirects, text)
        case .timedOut where isOver: (.late, "the time limit of the validation was reached")
        case .timedOut: (.late, text)
        default: (.other, text)
        }
    }
}
