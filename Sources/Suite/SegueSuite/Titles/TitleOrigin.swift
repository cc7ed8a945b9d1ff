internal import Foundation
internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// A client of a title's server that requests each resource once for all cases, and stores the response and its timing.
final class TitleOrigin: @unchecked Sendable {
    // Sendable: `lock` guards the mutable state and the server.

    /// The key of a resource.
    private struct Question: Hashable {
        let url: String
        let range: FetchRange?
        let isHead: Bool
    }

    private struct Kept {
        let response: FetchResponse
        let body: SharedBytes
        let times: ServerTimes
        /// False if it was requested once, by a client whose times do not matter.
        var isMeasured = true
    }

    /// The maximum size of bodies in memory, besides the file with all of them.
    private static let mostHeld = 64 << 20

    /// The maximum number of consecutive redirects.
    private static let mostRedirects = 10

    private let lock = NSLock()
    private let title: Title
    private let server: any TitleServer
    private let bodies: TitleBodies
    private let progress: FileProgress
    /// The server time, if it is fixed.
    private let think: Duration?
    private var kept: [Question: Kept] = [:]
    /// The redirects by the resource that they answer.
    private var redirects: [Question: FetchResponse] = [:]
    private var held: [SharedBytes] = []
    private var heldBytes = 0
    private var number = 0
    private var asked: [Question] = []
    private var failure: TitleBodiesError?

    init(_ title: Title, server: any TitleServer, bodies: TitleBodies, think: Duration?, progress: FileProgress) {
        (self.title, self.server, self.bodies) = (title, server, bodies)
        (self.think, self.progress) = (think, progress)
    }

    /// Checks that all responses could be stored: a full disk is not a defect of the title.
    ///
    /// - Throws: ``TitleBodiesError``.
    func check() throws(TitleBodiesError) {
        if let failure = lock.withLock({ failure }) { throw failure }
    }

    /// Answers a player's request as the server did, in the server's time.
    func respond(to request: FetchRequest) -> (response: FetchResponse, body: FetchBytes) {
        let kept = answer(to: request)
        let rate = think == nil ? kept.times.rate(of: kept.body.count) : nil
        let (from, time) = (kept.response, think ?? kept.times.charged)
        var response = FetchResponse(
            status: from.status,
            headers: from.headers,
            url: from.url,
            serverAddress: from.serverAddress,
            isLast: from.isLast,
            failure: from.failure
        )
        (response.serverTime, response.serverRate) = (time, rate)
        return (response, FetchBytes(kept.body))
    }

    /// The bytes of a resource.
    ///
    /// - Throws: ``TitleError`` for an incomplete response.
    func bytes(of url: String, range: FetchRange? = nil) throws(TitleError) -> [UInt8] {
        try resource(at: url, range: range).bytes
    }

    /// The bytes of a resource, and its URL after redirects, to which its references are relative.
    ///
    /// - Throws: ``TitleError`` for an incomplete response.
    func resource(at url: String, range: FetchRange? = nil) throws(TitleError) -> (url: String, bytes: [UInt8]) {
        let id = lock.withLock {
            number += 1
            return number
        }
        let answer = answer(to: FetchRequest(id: FetchID(id), url: url, range: range))
        if let failure = answer.response.failure {
            let isThere = ![.cannotConnect, .cannotResolve].contains(failure.reason)
            throw TitleError(isThere ? .broken : .noServer, failure.description)
        }
        guard (200..<300).contains(answer.response.status) else {
            throw TitleError(.refused(answer.response.status), "\(url): status \(answer.response.status)")
        }
        let place = answer.response.url.isEmpty ? url : answer.response.url
        guard let range, answer.response.status == 200 else { return (place, answer.body.bytes) }
        // A server may send the whole resource instead of a range (RFC 9110, 14.2).
        let part = answer.body.bytes.dropFirst(Int(clamping: range.offset)).prefix(Int(clamping: range.length))
        return (place, Array(part))
    }

    /// The response time for a resource.
    struct Measured: Sendable {
        let url: String
        /// The time to first byte, as virtual time charges it.
        let firstByte: Duration
        /// The server's bit rate; nil if it is faster than any network.
        let rate: Int?
    }

    /// The response times of the resources requested since the last call, in order.
    func measured() -> [Measured] {
        lock.withLock {
            defer { asked = [] }
            var seen: Set<Question> = []
            return asked.compactMap { question in
                guard seen.insert(question).inserted, let kept = kept[question] else { return nil }
                let rate = think == nil ? kept.times.rate(of: kept.body.count) : nil
                return Measured(url: question.url, firstByte: think ?? kept.times.charged, rate: rate)
            }
        }
    }

    /// Answers a request of a client that follows redirects itself.
    ///
    /// A plain GET is answered from the store; any other request goes to the server.
    func exchange(_ request: FetchRequest) -> TimedAnswer {
        let isPlain = request.method == nil && !request.isHead && request.headers.allSatisfy { $0.name == "Origin" }
        guard isPlain else {
            return lock.withLock {
                progress.reached("\(title.secrets.removed(from: request.url)) was probed")
                return server.ask(sent(request, to: request.url))
            }
        }
        let wanted = FetchRequest(id: request.id, url: request.url, range: request.range)
        let answer = answer(to: wanted, isMeasured: false)
        let question = Question(url: request.url, range: request.range, isHead: false)
        if let redirect = lock.withLock({ redirects[question] }) {
            return TimedAnswer(response: redirect, body: [], firstByte: .zero, rest: .zero)
        }
        return TimedAnswer(
            response: answer.response,
            body: answer.body.bytes,
            firstByte: answer.times.charged,
            rest: .zero
        )
    }

    private func answer(to request: FetchRequest, isMeasured: Bool = true) -> Kept {
        lock.lock()
        defer { lock.unlock() }
        let question = Question(url: request.url, range: request.range, isHead: request.isHead)
        asked.append(question)
        if let kept = kept[question], kept.isMeasured || !isMeasured { return kept }
        let begun = ContinuousClock.now
        var answer = ask(request)
        var times = ServerTimes(answer)
        for _ in 1..<ServerTimes.tries where isMeasured && think == nil && answer.response.failure == nil {
            guard ContinuousClock.now - begun < ServerTimes.longestTrying else { break }
            let again = ask(request)
            guard again.response.failure == nil, again.response.status == answer.response.status else { break }
            times.take(again)
            answer = again
        }
        progress.reached("\(title.secrets.removed(from: request.url)) came")
        return keep(answer, times, as: question, isMeasured: isMeasured || think != nil)
    }

    /// Sends a request and follows redirects, whose time counts; each server receives only its own headers and
    /// credentials.
    private func ask(_ request: FetchRequest) -> TimedAnswer {
        var (url, before) = (request.url, Duration.zero)
        for _ in 0...Self.mostRedirects {
            let answer = server.ask(sent(request, to: url))
            let place = answer.response.headers.first { $0.name == "location" }?.value
            guard (300..<400).contains(answer.response.status), answer.response.failure == nil, let place else {
                return answer.later(by: before)
            }
            before += answer.firstByte + answer.rest
            redirects[Question(url: url, range: request.range, isHead: request.isHead)] = answer.response
            url = URIReference.resolve(place, against: url)
            guard FetchURL(url) != nil else {
                return .failed(
                    FetchError(.badURL, "\(request.url) redirects to \(url), which is not an HTTP URL"),
                    at: url
                )
            }
        }
        let why = "\(request.url) redirects more than \(Self.mostRedirects) times"
        return .failed(FetchError(.tooManyRedirects, why), at: url)
    }

    private func keep(
        _ answer: TimedAnswer,
        _ times: ServerTimes,
        as question: Question,
        isMeasured: Bool
    ) -> Kept {
        let (response, body): (FetchResponse, SharedBytes)
        do {
            (response, body) = (answer.response, try bodies.keep(answer.body))
        } catch {
            self.failure = error
            let failure = FetchError(.other, "\(error)")
            response = FetchResponse(status: 0, headers: [], url: question.url, serverAddress: "", failure: failure)
            body = SharedBytes([]) { [] }
        }
        let new = Kept(response: response, body: body, times: times, isMeasured: isMeasured)
        // A failed request is repeated next time.
        guard response.failure == nil else { return new }
        kept[question] = new
        if !response.url.isEmpty, response.url != question.url {
            // A client that follows redirects itself requests the target next.
            kept[Question(url: response.url, range: question.range, isHead: question.isHead)] = new
        }
        held.append(body)
        heldBytes += body.count
        while heldBytes > Self.mostHeld, held.count > 1 {
            let oldest = held.removeFirst()
            oldest.letGo()
            heldBytes -= oldest.count
        }
        return new
    }

    /// The request as sent to a URL, with the title's headers if it is the title's own server.
    private func sent(_ request: FetchRequest, to url: String) -> FetchRequest {
        var headers = request.headers
        if FetchURL(url)?.origin == FetchURL(title.url)?.origin {
            let names = title.headers.map { $0.name.lowercased() }
            headers.removeAll { names.contains($0.name.lowercased()) }
            headers += title.headers.map { ($0.name, $0.value) }
        }
        var sent = FetchRequest(
            id: request.id,
            url: url,
            range: request.range,
            headers: headers,
            patience: request.patience,
            limit: request.limit
        )
        (sent.isHead, sent.followsRedirects) = (request.isHead, false)
        return sent
    }
}

extension TimedAnswer {
    /// The response delayed by earlier redirects.
    fileprivate func later(by time: Duration) -> TimedAnswer {
        TimedAnswer(response: response, body: body, firstByte: firstByte + time, rest: rest)
    }

    fileprivate static func failed(_ failure: FetchError, at url: String) -> TimedAnswer {
        let head = FetchResponse(status: 0, headers: [], url: url, serverAddress: "", failure: failure)
        return TimedAnswer(response: head, body: [], firstByte: .zero, rest: .zero)
    }
}

/// A resource that a title's server does not provide.
struct TitleError: Error, CustomStringConvertible {
    enum Reason: Equatable {
        /// The server does not respond.
        case noServer
        /// The status is not a success.
        case refused(Int)
        /// The response is truncated or malformed.
        case broken
    }

    let reason: Reason
    let description: String

    init(_ reason: Reason, _ description: String) { (self.reason, self.description) = (reason, description) }
}
