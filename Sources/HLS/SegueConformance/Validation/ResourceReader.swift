internal import Foundation
internal import SegueBase
internal import SegueFetch
internal import Synchronization

/// Fetches the resources that a validation needs, from a server or from the disk.
final class ResourceReader: Sendable {
    /// A resource with how HTTP answered.
    struct Resource {
        var bytes: [UInt8]
        /// Nil for a file, and for what is not looked at.
        var http: HTTPFacts?
        /// Why there are no bytes; nil when there are.
        var failure: String?
        /// Whether the time was over before.
        var isLeftOut = false
    }

    /// A resource that is wanted.
    struct Wanted {
        /// An http URL, or a file's.
        let url: String
        /// What it is for.
        let role: HTTPFacts.Role
        /// The part that is wanted; nil for the whole.
        var range: FetchRange?
        /// Whether the server is also asked what it does with other requests for it.
        var isProbed = false
    }

    /// The site that asks, as browsers tell it: one that is nobody's.
    static let origin = "https://player.invalid"

    let options: ValidationOptions
    private let fetcher: any TimedFetching
    /// The playlist's own server, which alone gets the headers of ``ValidationOptions/headers``; nil for a file.
    let home: String?
    private let end: ContinuousClock.Instant
    private let requests = Mutex(0)
    private let counted = Mutex(0)

    /// A reader for a playlist.
    ///
    /// - Parameters:
    ///   - playlist: Its URL.
    ///   - fetcher: Fetches.
    ///   - options: How to fetch.
    init(for playlist: String, by fetcher: any TimedFetching, options: ValidationOptions) {
        (self.fetcher, self.options) = (fetcher, options)
        home = FetchURL(playlist)?.origin
        end = .now + options.time
    }

    /// How many bytes came.
    var bytes: Int { counted.withLock { $0 } }

    /// Whether the time of the whole validation is over.
    var isOver: Bool { ContinuousClock.now >= end }

    /// Fetches several resources, a few at once.
    ///
    /// - Returns: What came of each, in the order in which they were named.
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
        return all.indices.map { resources[$0] ?? Resource(bytes: [], failure: "it was not read") }
    }

    /// Fetches a resource, or reads it.
    func read(_ wanted: Wanted) -> Resource {
        guard !isOver else { return Resource(bytes: [], failure: "the time was over", isLeftOut: true) }
        guard RemotePlace.isRemote(wanted.url) else { return local(wanted) }
        let limit = limit(for: wanted.role)
        let asked = ask(wanted.url, range: wanted.range, limit: limit)
        counted.withLock { $0 += asked.body.count }
        var facts = HTTPFacts(wanted.role, url: wanted.url, finalURL: asked.url, get: asked.answer)
        facts.span = wanted.range.map { HTTPFacts.Span(offset: $0.offset, length: $0.length) }
        (facts.redirects, facts.origin) = (asked.redirects, Self.origin)
        // Without a query and headers it was asked for as anybody can.
        if options.headers.isEmpty, !wanted.url.contains("?") { facts.bare = asked.answer }
        let isWhole = asked.answer.isThere && asked.answer.trouble == nil
        if isWhole { facts.body = BodyKind(asked.body) }
        if wanted.isProbed, options.judgesDelivery, isWhole, asked.answer.status == 200 { probe(&facts, asked.body) }
        var failure: String? = asked.answer.failure.isEmpty ? nil : asked.answer.failure
        if failure == nil, !asked.answer.isThere { failure = "answered with \(asked.answer.status)" }
        // A server that does not know ranges gives the whole.
        var kept = asked.body[...]
        if let range = wanted.range, asked.answer.status == 200 {
            kept = kept.dropFirst(Int(clamping: range.offset)).prefix(Int(clamping: range.length))
        }
        return Resource(bytes: failure == nil ? Array(kept) : [], http: facts, failure: failure)
    }

    private func limit(for role: HTTPFacts.Role) -> Int {
        switch role {
        case .playlist: options.mostPlaylistBytes
        case .initialization, .segment: options.mostSegmentBytes
        case .key: options.mostKeyBytes
        }
    }

    /// A file of the disk, which only a playlist from the disk may name.
    private func local(_ wanted: Wanted) -> Resource {
        let scheme = wanted.url.prefix { $0 != ":" }
        guard home == nil, wanted.url.hasPrefix("file://") else {
            return Resource(bytes: [], failure: "its scheme is \(scheme), which is not followed", isLeftOut: true)
        }
        switch LocalFile.read(wanted.url, range: wanted.range, limit: limit(for: wanted.role)) {
        case .success(let bytes):
            counted.withLock { $0 += bytes.count }
            return Resource(bytes: bytes)
        case .failure(let trouble): return Resource(bytes: [], failure: trouble.words)
        }
    }

    /// What came of a request.
    struct Asked {
        var answer: HTTPAnswer
        var body: [UInt8] = []
        /// Where the answer came from.
        var url: String
        var redirects: [HTTPFacts.Redirect] = []
    }

    /// Asks one server once.
    func askOnce(
        _ url: String,
        range: FetchRange?,
        isHead: Bool,
        headers: [(name: String, value: String)],
        limit: Int,
        method: String?
    ) -> (answer: HTTPAnswer, body: [UInt8]) {
        let id = requests.withLock { number in
            number += 1
            return FetchID(number)
        }
        var request = FetchRequest(
            id: id,
            url: url,
            range: range,
            isHead: isHead,
            headers: headers,
            patience: options.patience,
            limit: limit
        )
        (request.followsRedirects, request.method) = (false, method)
        request.wholePatience = max(.milliseconds(1), end - .now)
        let answer = fetcher.timed(request)
        let fields = Dictionary(answer.response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        var result = HTTPAnswer(status: answer.response.status, headers: fields, size: answer.body.count)
        result.headSeconds = answer.firstByte / .seconds(1)
        result.seconds = result.headSeconds + answer.rest / .seconds(1)
        result.version = answer.response.version
        guard let failure = answer.response.failure else { return (result, answer.body) }
        (result.trouble, result.failure) = words(failure, url: url, limit: limit)
        // Of an answer without a head nothing is known.
        return (result, answer.body)
    }

    /// The kind of a failure, and one line for it that names no URL.
    private func words(_ failure: FetchError, url: String, limit: Int) -> (HTTPAnswer.Trouble, String) {
        let ending = ": \(url)"
        var text = failure.description
        if text.hasSuffix(ending) { text.removeLast(ending.count) }
        // What curl names with its own word for it, and tells among others.
        if text.contains("content unencoding") || text.contains("content encoding") { return (.undecodable, text) }
        return switch failure.reason {
        case .untrusted: (.untrusted, text)
        case .tooLarge: (.tooLarge, "it has more than the \(limit) bytes that are read")
        case .truncated: (.truncated, text)
        case .tooManyRedirects: (.redirects, text)
        case .timedOut where isOver: (.late, "the time of the validation was over")
        case .timedOut: (.late, text)
        default: (.other, text)
        }
    }
}
