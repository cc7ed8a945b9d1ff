internal import Foundation
internal import Timeline

/// Fetches what a simulated player asks for from a real server, and waits for it: the far end of a simulated network.
///
/// A request that fails is answered as a proxy would, with 502 and the reason.
package final class BlockingFetcher {
    private let answers = Answers()
    private let fetcher: LiveFetcher

    /// A fetcher with connections of its own.
    ///
    /// - Parameter credentials: Who asks, by the host with its port as URLs have it.
    /// - Throws: ``FetchError`` when libcurl cannot be set up.
    package init(credentials: [String: FetchCredential] = [:]) throws(FetchError) {
        let answers = self.answers
        fetcher = try LiveFetcher(deliver: { answers.take($0) }, credentials: credentials)
    }

    /// Why the last request that failed did; nil where none has.
    package var lastFailure: FetchError? { answers.lastFailure }

    /// Fetches one resource; waits until it has come whole or has failed, which the request's patience bounds.
    package func respond(to request: FetchRequest) -> (response: FetchResponse, body: [UInt8]) {
        fetcher.start(request, at: .zero)
        let answer = answers.wait(for: request)
        fetcher.cancel(request.id, at: .zero)
        return answer
    }
}

/// What has come of requests so far.
private final class Answers: @unchecked Sendable {
    // Sendable: everything is only touched with `condition` locked.
    private let condition = NSCondition()
    private var responses: [FetchID: FetchResponse] = [:]
    private var bodies: [FetchID: [UInt8]] = [:]
    private var ended: [FetchID: FetchError?] = [:]
    private var failure: FetchError?

    var lastFailure: FetchError? {
        condition.lock()
        defer { condition.unlock() }
        return failure
    }

    func take(_ event: FetchEvent) {
        condition.lock()
        defer { condition.unlock() }
        switch event {
        case .response(let id, let response):
            responses[id] = response
            let isEndless = response.headers.contains { $0.name.hasPrefix("icy-") }
            if isEndless, !response.headers.contains(where: { $0.name == "content-length" }) {
                let why = "internet radio has no end, so that it cannot be played in virtual time"
                let error = FetchError(.tooLarge, "\(why): \(response.url)")
                ended[id] = error
                failure = error
            }
        case .data(let id, let bytes): bodies[id, default: []] += bytes
        case .finished(let id): ended[id] = .some(nil)
        case .failed(let id, let error):
            ended[id] = error
            failure = error
        }
        condition.broadcast()
    }

    func wait(for request: FetchRequest) -> (response: FetchResponse, body: [UInt8]) {
        condition.lock()
        defer { condition.unlock() }
        while ended[request.id] == nil { condition.wait() }
        let error = ended.removeValue(forKey: request.id) ?? nil
        let body = bodies.removeValue(forKey: request.id) ?? []
        let response = responses.removeValue(forKey: request.id)
        if error == nil, let response { return (response, body) }
        let reason = Array((error?.description ?? "there was no response").utf8)
        let headers = [("content-type", "text/plain; charset=utf-8"), ("content-length", "\(reason.count)")]
        return (FetchResponse(status: 502, headers: headers, url: request.url, serverAddress: ""), reason)
    }
}
