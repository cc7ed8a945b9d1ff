internal import SegueBase
internal import SegueConformance
internal import SegueFetch

extension StreamCheck {
    /// Watches a live stream as `segue watch` does, in virtual time.
    ///
    /// Each request has a time (``ServerRequest/time``), which the server's clock must show. The time advances to the
    /// next request after each response, so that an hour of a stream takes only the time that the handler needs for its
    /// requests.
    ///
    /// - Parameters:
    ///   - url: The URL of the playlist, `http` or `https`.
    ///   - period: The duration of the watch, above zero.
    ///   - date: The time of the server's clock at the start in seconds since 1970, for comparisons with dates
    ///     (`EXT-X-PROGRAM-DATE-TIME`); nil to skip them.
    /// - Returns: The findings over time, in the order of discovery.
    /// - Throws: ``StreamFailure`` for an invalid URL.
    public func findings(
        of url: String,
        watchedFor period: Duration,
        startingAt date: Double? = nil
    ) async throws(StreamFailure) -> [Finding] {
        guard FetchURL(url) != nil else { throw StreamFailure(description: "\(url): not an http or https URL") }
        var watch = StreamWatch(url, clock: date)
        var found: [LiveFinding] = []
        var queue = watch.begin(at: .zero)
        // The responses that have not arrived yet in the time of the watch.
        var answers: [WatchResponse] = []
        let end = Instant.zero + period
        while !watch.hasEnded, !Task.isCancelled {
            let ended = answers.indices.min { answers[$0].ended < answers[$1].ended }
            let asked = queue.indices.min { queue[$0].at < queue[$1].at }
            if let asked, ended.map({ queue[asked].at < answers[$0].ended }) ?? true {
                let request = queue.remove(at: asked)
                guard request.at <= end else { continue }
                answers.append(await answer(request, most: watch.mostBytes))
            } else if let ended {
                let step = watch.take(answers.remove(at: ended))
                queue += step.requests
                found += step.findings
            } else {
                break
            }
        }
        found += watch.finish()
        return Finding.all(found.map { ($0.broken, $0.at - .zero) }, in: profile)
    }

    private func answer(_ request: WatchRequest, most: Int) async -> WatchResponse {
        let outcome = await call.answer(ServerRequest(request))
        var answer = WatchResponse(
            method: request.method,
            url: request.url,
            began: request.at,
            ended: request.at,
            status: 0
        )
        switch outcome {
        case .failure(let error): answer.failure = Message(quoting: error.cause)
        case .success(let given):
            let took = min(given.took, request.patience)
            answer.ended = request.at + took
            guard given.took <= request.patience else {
                answer.failure = "no response within \(value: request.patience)"
                break
            }
            answer.status = given.status
            answer.headers = Dictionary(given.headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
            if request.method == .get { answer.bytes = given.body }
            if answer.bytes.count > most { answer.failure = "it has more than \(most) bytes" }
        }
        return answer
    }
}

extension ServerRequest {
    init(_ request: WatchRequest) {
        method = request.method == .head ? "HEAD" : "GET"
        url = request.url
        let range = request.method == .firstByte ? [(name: "range", value: "bytes=0-0")] : []
        headers = [("user-agent", FetchRequest.userAgent), ("accept", "*/*")] + range
        time = request.at - .zero
    }
}
