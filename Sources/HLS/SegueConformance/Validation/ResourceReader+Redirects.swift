internal import SegueFetch
internal import SeguePlaylists

extension ResourceReader {
    private static let mostRedirects = 10

    /// Asks for a resource, and goes where redirects lead.
    ///
    /// That is done here and not by libcurl, so that a circle is seen, and no server but the playlist's gets the headers.
    func ask(
        _ url: String,
        range: FetchRange? = nil,
        isHead: Bool = false,
        isBare: Bool = false,
        headers: [(name: String, value: String)] = [],
        limit: Int? = nil,
        method: String? = nil
    ) -> Asked {
        var (place, redirects): (String, [HTTPFacts.Redirect]) = (url, [])
        var known: Set<String> = [url]
        while true {
            let own = home != nil && FetchURL(place)?.origin == home && !isBare ? options.headers : []
            let (answer, body) = askOnce(
                place,
                range: range,
                isHead: isHead,
                headers: [("Origin", Self.origin)] + own + headers,
                limit: limit ?? options.mostSegmentBytes,
                method: method
            )
            guard [301, 302, 303, 307, 308].contains(answer.status), let said = answer.headers["location"] else {
                return Asked(answer: answer, body: body, url: place, redirects: redirects)
            }
            let target = URIReference.resolve(said, against: place)
            redirects.append(HTTPFacts.Redirect(status: answer.status, target: target))
            var refusal: String?
            if !RemotePlace.isRemote(target) {
                refusal = "it is redirected to \(target.prefix(200)), which is not followed"
            } else if !known.insert(target).inserted {
                refusal = "it is redirected in a circle, back to \(target.prefix(200))"
            } else if redirects.count > Self.mostRedirects {
                refusal = "it is redirected more than \(Self.mostRedirects) times"
            }
            if let refusal {
                var answer = HTTPAnswer(status: 0, failure: refusal)
                answer.trouble = .redirects
                return Asked(answer: answer, url: url, redirects: redirects)
            }
            place = target
        }
    }
}
