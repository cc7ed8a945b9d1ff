internal import SegueFetch

extension ResourceReader {
    /// Asks what the server does with other requests for a resource.
    ///
    /// - Parameters:
    ///   - facts: What is known of it, and is to be.
    ///   - whole: Its bytes.
    func probe(_ facts: inout HTTPFacts, _ whole: [UInt8]) {
        let url = facts.url
        facts.head = ask(url, isHead: true).answer
        if let tag = facts.get.headers["etag"] {
            facts.unchanged = ask(url, headers: [("If-None-Match", tag)]).answer
        }
        if !options.headers.isEmpty || url.contains("?") {
            facts.bare = ask(String(url.prefix { $0 != "?" }), isBare: true).answer
        }
        if facts.role == .playlist {
            var plain = ask(url, headers: [("Accept-Encoding", "identity")], limit: options.mostPlaylistBytes)
            plain.answer.isTrue = plain.body == whole
            facts.plain = plain.answer
            let wish = ("Access-Control-Request-Method", "GET")
            facts.preflight = ask(url, headers: [wish], method: "OPTIONS").answer
        }
        guard facts.role == .segment || facts.role == .initialization else { return }
        let first = FetchRange(offset: 0, length: 1)
        let part = ask(url, range: first)
        facts.range = part.answer
        facts.range?.isTrue = part.body.elementsEqual(whole.prefix(1))
        facts.severalRanges = severalRanges(url, of: whole)
        facts.otherRange = ask(url, range: first, headers: [("If-Range", "\"no-such-tag\"")]).answer
        facts.beyond = ask(url, range: FetchRange(offset: Int64(whole.count) + 10, length: 1)).answer
        if facts.role == .segment { facts.missing = ask(Self.missing(beside: url)).answer }
    }

    /// Asks for a resource once more.
    ///
    /// - Parameters:
    ///   - url: Its URL.
    ///   - range: The part that was asked for.
    ///   - bytes: What came the first time.
    /// - Returns: The answer, which is true where the same bytes came.
    func again(_ url: String, range: FetchRange?, bytes: [UInt8]) -> HTTPAnswer {
        var asked = ask(url, range: range)
        var body = asked.body[...]
        if let range, asked.answer.status == 200 {
            body = body.dropFirst(Int(clamping: range.offset)).prefix(Int(clamping: range.length))
        }
        asked.answer.isTrue = body.elementsEqual(bytes)
        return asked.answer
    }

    /// The answer to a question for two parts that are far from one another.
    private func severalRanges(_ url: String, of whole: [UInt8]) -> HTTPAnswer? {
        guard whole.count >= 8 else { return nil }
        var asked = ask(url, headers: [("Range", "bytes=1-1,-2")])
        asked.answer.isTrue = MultipartBody.isTrue(
            asked.body,
            contentType: asked.answer.headers["content-type"] ?? "",
            ranges: [1..<2, whole.count - 2..<whole.count],
            of: whole
        )
        return asked.answer
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
}
