internal import Foundation
internal import SegueByteCoding
internal import SegueFetch

/// Sends the requests of a validation to the server's own code instead of a network.
final class HandlerFetcher: TimedFetching {
    private let call: HandlerCall

    init(_ call: HandlerCall) { self.call = call }

    /// Blocks the calling thread, which must not be one of the cooperative pool.
    func timed(_ request: FetchRequest) -> TimedAnswer {
        let begun = ContinuousClock.now
        let asked = ServerRequest(request)
        let (call, end) = (self.call, Waiting())
        Task.detached { end.take(await call.answer(asked)) }
        let outcome = end.outcome()
        let took = ContinuousClock.now - begun
        switch outcome {
        case .success(let answer): return Self.timed(answer, request, took: took)
        case .failure(let error): return Self.failed(error, request, took: took)
        }
    }

    private static func timed(_ answer: ServerAnswer, _ request: FetchRequest, took: Duration) -> TimedAnswer {
        var body = request.isHead ? [] : answer.body
        let headers = answer.headers.map { (name: $0.name.lowercased(), value: $0.value) }
        var failure: FetchError?
        if body.count > request.limit {
            failure = FetchError(.tooLarge, "it has more than \(request.limit) bytes")
            body = []
        } else if let coding = headers.first(where: { $0.name == "content-encoding" })?.value.lowercased(),
            coding != "identity", request.range == nil, !body.isEmpty
        {
            do {
                body = try expanded(body, coding, most: request.limit)
            } catch {
                failure = error
                body = []
            }
        }
        var response = FetchResponse(
            status: answer.status,
            headers: headers,
            url: request.url,
            serverAddress: "",
            failure: failure
        )
        response.version = answer.version
        return TimedAnswer(response: response, body: body, firstByte: took, rest: .zero)
    }

    private static func expanded(_ body: [UInt8], _ coding: String, most: Int) throws(FetchError) -> [UInt8] {
        guard ["gzip", "x-gzip"].contains(coding) else {
            throw FetchError(.other, "content encoding: \(coding) was not requested", at: nil, isUndecodable: true)
        }
        do {
            return try Gzip.expand(body, most: most)
        } catch {
            throw FetchError(.other, "content encoding: \(error)", at: nil, isUndecodable: true)
        }
    }

    private static func failed(_ error: FetchError, _ request: FetchRequest, took: Duration) -> TimedAnswer {
        let response = FetchResponse(status: 0, headers: [], url: request.url, serverAddress: "", failure: error)
        return TimedAnswer(response: response, body: [], firstByte: took, rest: .zero)
    }

    /// Blocks a thread until a task delivers its result.
    private final class Waiting: @unchecked Sendable {
        // Sendable: everything is only touched with `condition` locked.
        private let condition = NSCondition()
        private var result: Result<ServerAnswer, FetchError>?

        func take(_ result: Result<ServerAnswer, FetchError>) {
            condition.lock()
            defer { condition.unlock() }
            self.result = result
            condition.signal()
        }

        func outcome() -> Result<ServerAnswer, FetchError> {
            condition.lock()
            defer { condition.unlock() }
            while true {
                if let result { return result }
                // The call itself ends after its patience.
                condition.wait()
            }
        }
    }
}

extension ServerRequest {
    init(_ request: FetchRequest) {
        method = request.method ?? (request.isHead ? "HEAD" : "GET")
        url = request.url
        var headers = [(name: "user-agent", value: FetchRequest.userAgent), (name: "accept", value: "*/*")]
        if let range = request.range {
            // The last byte is counted in; a range without end is one that no length fits.
            let (end, isTooLarge) = range.offset.addingReportingOverflow(range.length - 1)
            headers.append(("range", "bytes=\(range.offset)-\(isTooLarge ? "" : "\(end)")"))
        }
        headers += request.headers
        let isEncodable = request.range == nil && !headers.contains { $0.name.lowercased() == "range" }
        if isEncodable, !headers.contains(where: { $0.name.lowercased() == "accept-encoding" }) {
            headers.append(("accept-encoding", "gzip"))
        }
        self.headers = headers
        time = .zero
    }
}
