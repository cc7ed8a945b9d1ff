internal import HTTPTypes
internal import SegueByteCoding
internal import SegueFetch
internal import SegueOrigin

/// The server of a file as the validator's client sees it, in this process.
struct ItemOriginFetcher: TimedFetching {
    let origin: ItemOrigin
    let progress: FileProgress

    /// The maximum size of an expanded playlist.
    private static let mostExpanded = 64 << 20

    func timed(_ request: FetchRequest) -> TimedAnswer {
        progress.reached("checking \(request.url)")
        let isPlain = request.method == nil && !request.isHead && request.headers.allSatisfy { $0.name == "Origin" }
        let isPlaylist = request.url.prefix { $0 != "?" }.hasSuffix(".m3u8")
        // Media come from the cache, which players and the comparison fill.
        if isPlain, !isPlaylist {
            let plain = FetchRequest(id: request.id, url: request.url, range: request.range)
            let (response, body) = origin.respond(to: plain)
            return TimedAnswer(response: response, body: body.bytes, firstByte: .zero, rest: .zero)
        }
        return answer(to: request)
    }

    private func answer(to request: FetchRequest) -> TimedAnswer {
        var headers = HTTPFields(named: request.headers)
        if let range = request.range {
            headers[.range] = "bytes=\(range.offset)-\(range.offset + range.length - 1)"
        }
        if headers[.acceptEncoding] == nil { headers[.acceptEncoding] = "gzip" }
        let method = request.method ?? (request.isHead ? "HEAD" : "GET")
        let target = String(request.url.dropFirst(origin.base.count))
        let answer = origin.respond(
            to: OriginRequest(method: method, target: target, headers: headers),
            origin.cancellation
        )
        var body = request.isHead ? [] : answer.body.bytes
        var failure: FetchError?
        if answer.headers[.contentEncoding] == "gzip", !body.isEmpty {
            do {
                body = try Gzip.expand(body, most: Self.mostExpanded)
            } catch {
                failure = FetchError(.other, "\(error)", at: nil, isUndecodable: true)
            }
        }
        let response = FetchResponse(
            status: answer.status,
            headers: answer.headers.map { ($0.name.canonicalName, $0.value) },
            url: request.url,
            serverAddress: "\(origin.host):80",
            failure: failure
        )
        return TimedAnswer(response: response, body: body, firstByte: .zero, rest: .zero)
    }
}
