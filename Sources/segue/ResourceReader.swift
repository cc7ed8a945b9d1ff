import Conformance
import CurlFetch
import Fetch
import Foundation
import Timeline

/// Fetches the resources that a validation needs, from a server or from the disk.
final class ResourceReader {
    /// A resource with how HTTP answered.
    struct Resource {
        let bytes: [UInt8]
        /// Nil for a file.
        let http: HTTPFacts?
        /// Why there are no bytes; nil when there are.
        let failure: String?
    }

    private let fetcher: BlockingFetcher
    private let patience: Duration
    private var requests = 0

    /// How many requests were made, and how many bytes came.
    private(set) var bytes = 0

    /// A reader that waits so long for a server that sends nothing.
    init(patience: Duration) throws {
        fetcher = try BlockingFetcher()
        self.patience = patience
    }

    static func isRemote(_ place: String) -> Bool { place.hasPrefix("http://") || place.hasPrefix("https://") }

    /// Fetches a resource, or reads it.
    ///
    /// - Parameters:
    ///   - url: An http URL, or a file's.
    ///   - role: What it is for.
    ///   - range: The part that is wanted; nil for the whole.
    ///   - isProbed: Whether the server is also asked what it does with other requests for it.
    /// - Returns: The bytes, or why there are none.
    func read(_ url: String, as role: HTTPFacts.Role, range: FetchRange? = nil, isProbed: Bool = false) -> Resource {
        guard Self.isRemote(url) else { return file(url, range) }
        let (answer, body, finalURL) = ask(url, range: range)
        bytes += body.count
        var facts = HTTPFacts(role, url: url, finalURL: finalURL, get: answer)
        if isProbed, answer.status == 200 { probe(&facts, body) }
        let isThere = answer.status == 200 || answer.status == 206
        let failure = answer.status == 0 ? answer.failure : "answered with \(answer.status)"
        // A server that does not know ranges gives the whole.
        var kept = body[...]
        if let range, answer.status == 200 { kept = kept.dropFirst(Int(range.offset)).prefix(Int(range.length)) }
        return Resource(bytes: isThere ? Array(kept) : [], http: facts, failure: isThere ? nil : failure)
    }

    private func probe(_ facts: inout HTTPFacts, _ whole: [UInt8]) {
        let url = facts.url
        facts.head = ask(url, isHead: true).answer
        if let tag = facts.get.headers["etag"] {
            facts.unchanged = ask(url, headers: [("If-None-Match", tag)]).answer
        }
        guard facts.role != .playlist else { return }
        let first = FetchRange(offset: 0, length: 1)
        let (answer, body, _) = ask(url, range: first)
        facts.range = answer
        facts.range?.isTrue = body.elementsEqual(whole.prefix(1))
        facts.severalRanges = severalRanges(url, of: whole)
        facts.otherRange = ask(url, range: first, headers: [("If-Range", "\"no-such-tag\"")]).answer
        facts.beyond = ask(url, range: FetchRange(offset: Int64(whole.count) + 10, length: 1)).answer
        if facts.role == .segment { facts.missing = ask(Self.missing(beside: url)).answer }
    }

    /// The answer to a question for two parts that are far from one another.
    private func severalRanges(_ url: String, of whole: [UInt8]) -> HTTPAnswer? {
        guard whole.count >= 8 else { return nil }
        var (answer, body, _) = ask(url, headers: [("Range", "bytes=1-1,-2")])
        answer.isTrue = MultipartBody.isTrue(
            body,
            contentType: answer.headers["content-type"] ?? "",
            ranges: [1..<2, whole.count - 2..<whole.count],
            of: whole
        )
        return answer
    }

    /// The URL of a segment of the same kind that is not there: one with a far greater number.
    private static func missing(beside url: String) -> String {
        let path = url.prefix { $0 != "?" }
        guard let slash = path.lastIndex(of: "/") else { return url + "-999999999" }
        let stem = path[slash...].dropFirst().prefix { $0 != "." }
        let digits = stem.reversed().prefix(while: \.isNumber).count
        guard digits > 0 else { return "\(path[...slash])no-such-segment-999999.ts" }
        return "\(url[..<stem.endIndex].dropLast(digits))999999999\(url[stem.endIndex...])"
    }

    private func ask(
        _ url: String,
        range: FetchRange? = nil,
        isHead: Bool = false,
        headers: [(name: String, value: String)] = []
    ) -> (answer: HTTPAnswer, body: [UInt8], finalURL: String) {
        requests += 1
        let id = FetchID(requests)
        let request = FetchRequest(id: id, url: url, range: range, isHead: isHead, headers: headers, patience: patience)
        let clock = ContinuousClock()
        let begun = clock.now
        let (response, body) = fetcher.respond(to: request)
        let seconds = (clock.now - begun) / .seconds(1)
        if let failure = response.failure { return (HTTPAnswer(status: 0, failure: failure.description), [], url) }
        let fields = Dictionary(response.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
        var answer = HTTPAnswer(status: response.status, headers: fields, size: body.count)
        answer.seconds = seconds
        return (answer, body.bytes, response.url)
    }

    private func file(_ url: String, _ range: FetchRange?) -> Resource {
        let path = url.hasPrefix("file://") ? String(url.dropFirst(7).prefix { $0 != "?" && $0 != "#" }) : url
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path.removingPercentEncoding ?? path))
            bytes += data.count
            var kept = Array(data)[...]
            if let range { kept = kept.dropFirst(Int(range.offset)).prefix(Int(range.length)) }
            return Resource(bytes: Array(kept), http: nil, failure: nil)
        } catch {
            return Resource(bytes: [], http: nil, failure: SystemReason.of(error))
        }
    }
}
