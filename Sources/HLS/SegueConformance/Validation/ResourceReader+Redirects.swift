internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

extension ResourceReader {
    private static let redirectLimit = 10

    /// Sends a request and follows redirects.
    ///
    /// libcurl does not follow them, since circular redirects must be found, and only the server of the playlist gets
    /// the user's header fields.
    func send(
        _ url: String,
        range: FetchRange? = nil,
        method: Method = .get,
        isBare: Bool = false,
        headers: [(name: String, value: String)] = [],
        limit: Int? = nil
    ) -> Exchange {
        var (place, redirects): (String, [HTTPFacts.Redirect]) = (url, [])
        var known: Set<String> = [url]
        while true {
            let own = home != nil && FetchURL(place)?.origin == home && !isBare ? options.headers : []
            let (answer, body) = sendOnce(
                place,
                range: range,
                method: method,
                headers: [("Origin", Self.origin)] + own + headers,
                limit: limit ?? options.mostSegmentBytes
            )
            guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.headers["location"] else {
                return Exchange(answer: answer, body: body, url: place, redirects: redirects)
            }
            let target = URIReference.resolve(location, against: place)
            redirects.append(HTTPFacts.Redirect(status: answer.status, target: target))
            var refusal: Message?
            if !RemotePlace.isRemote(target) {
                refusal = "the redirect to \(value: target.prefix(200)) is not http or https"
            } else if !known.insert(target).inserted {
                refusal = "the redirects are circular, back to \(value: target.prefix(200))"
            } else if redirects.count > Self.redirectLimit {
                refusal = "more than \(Self.redirectLimit) redirects"
            }
            if let refusal {
                var answer = HTTPAnswer(status: 0, failure: refusal)
                answer.trouble = .redirects
                return Exchange(answer: answer, url: url, redirects: redirects)
            }
            place = target
        }
    }
}
