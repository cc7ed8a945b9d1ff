internal import SegueFetch
internal import Synchronization

extension ResourceReader {
    /// The `User-Agent` of common players, by their names.
    private static let agents = [
        ("AppleCoreMedia", "AppleCoreMedia/1.0.0.22F76 (iPhone; U; CPU OS 18_5 like Mac OS X; en_us)"),
        (
            "Chromium",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/140.0.0.0 Safari/537.36"
        ),
        ("ExoPlayer", "AndroidXMedia3/1.8.0 (Linux;Android 15) ExoPlayerLib/1.8.0"),
    ]

    /// Sends further requests for a resource and adds the responses to its facts.
    func probe(_ facts: inout HTTPFacts, _ whole: [UInt8]) {
        let url = facts.url
        facts.head = send(url, method: .head).answer
        if let tag = facts.get.headers["etag"] {
            facts.unchanged = send(url, headers: [("If-None-Match", tag)]).answer
        }
        if !options.headers.isEmpty || url.contains("?") {
            facts.bare = send(String(url.prefix { $0 != "?" }), isBare: true).answer
        }
        if facts.role == .playlist || facts.role == .segment,
            comparedRoles.withLock({ $0.insert(facts.role).inserted })
        {
            let range = facts.role == .segment ? FetchRange(offset: 0, length: 1) : nil
            for (name, agent) in Self.agents {
                facts.agents[name] = send(url, range: range, headers: [("User-Agent", agent)]).answer
            }
        }
        if facts.role == .playlist {
            var plain = send(url, headers: [("Accept-Encoding", "identity")], limit: options.mostPlaylistBytes)
            plain.answer.isTrue = plain.body == whole
            facts.plain = plain.answer
            let wish = ("Access-Control-Request-Method", "GET")
            facts.preflight = send(url, method: .options, headers: [wish]).answer
        }
        guard facts.role == .segment || facts.role == .initialization else { return }
        let first = FetchRange(offset: 0, length: 1)
        let part = send(url, range: first)
        facts.range = part.answer
        facts.range?.isTrue = part.body.elementsEqual(whole.prefix(1))
        facts.severalRanges = severalRanges(url, of: whole)
        facts.otherRange = send(url, range: first, headers: [("If-Range", "\"no-such-tag\"")]).answer
        facts.beyond = send(url, range: FetchRange(offset: Int64(whole.count) + 10, length: 1)).answer
        if facts.role == .segment { facts.missing = send(Self.missing(beside: url)).answer }
    }

    /// Repeats a request; `isTrue` of the response states if the bytes are the same.
    func again(_ url: String, range: FetchRange?, bytes: [UInt8]) -> HTTPAnswer {
        var result = send(url, range: range)
        var body = result.body[...]
        if let range, result.answer.status == 200 {
            body = body.dropFirst(Int(clamping: range.offset)).prefix(Int(clamping: range.length))
        }
        result.answer.isTrue = body.elementsEqual(bytes)
        return result.answer
    }

    /// Sends a request for two distant ranges.
    private func severalRanges(_ url: String, of whole: [UInt8]) -> HTTPAnswer? {
        guard whole.count >= 8 else { return nil }
        var result = send(url, headers: [("Range", "bytes=1-1,-2")])
        result.answer.isTrue = MultipartBody.isTrue(
            result.body,
            contentType: result.answer.headers["content-type"] ?? "",
            ranges: [1..<2, whole.count - 2..<whole.count],
            of: whole
        )
        return result.answer
    }

    /// Returns the URL of a missing segment: a segment URL with a far higher number.
    private static func missing(beside url: String) -> String {
        let path = url.prefix { $0 != "?" }
        guard let slash = path.lastIndex(of: "/") else { return url + "-999999999" }
        let stem = path[slash...].dropFirst().prefix { $0 != "." }
        let digits = stem.reversed().prefix(while: \.isNumber).count
        guard digits > 0 else { return "\(path[...slash])no-such-segment-999999.ts" }
        return "\(url[..<stem.endIndex].dropLast(digits))999999999\(url[stem.endIndex...])"
    }
}
