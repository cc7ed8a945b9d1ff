/// The rules on how resources are delivered.
enum HTTPRules {
    static let all: [Check<HTTPFacts>] =
        [
            resolves, redirected, segmentType, head, range, severalRanges, otherRange, beyond, gzip, vary, tag,
            unchanged,
            missing, missingAtOnce,
        ] + DeliveryRules.all + CachingRules.ofResource + CrossOriginRules.ofResource

    static func at(_ facts: HTTPFacts, _ message: String) -> [Violation] {
        [Violation(Place(url: facts.url), message)]
    }

    private static func isThere(_ facts: HTTPFacts) -> Bool { facts.get.isThere }

    /// Whether findings say that there is nothing to look at behind what HTTP said.
    static func isUseless(_ found: [BrokenRule]) -> Bool {
        let rules = [
            resolves.rule, DeliveryRules.certificate.rule, DeliveryRules.redirectsEnd.rule, DeliveryRules.whole.rule,
            DeliveryRules.bound.rule, DeliveryRules.encodingTrue.rule, DeliveryRules.unasked.rule,
            DeliveryRules.body.rule,
        ]
        return found.contains { rules.contains($0.rule) }
    }

    /// What is named is there.
    static let resolves = Check<HTTPFacts>(
        Rule("uri-resolves", "R6.2.1, B6.2.1", .must, "every URI resolves to 200 or 206")
    ) { facts in
        // What has a rule of its own is named by that.
        let named: [HTTPAnswer.Trouble?] = [.untrusted, .redirects, .tooLarge, .undecodable]
        guard !isThere(facts), facts.get.status != 304, !named.contains(facts.get.trouble) else { return [] }
        return at(facts, facts.get.status == 0 ? facts.get.failure : "it is answered with \(facts.get.status)")
    }

    /// Media are where they are said to be.
    static let redirected = Check<HTTPFacts>(
        Rule("media-redirected", "A8.18", .must, "segments are not redirected")
    ) { facts in
        guard facts.role == .segment || facts.role == .initialization, facts.finalURL != facts.url else { return [] }
        return at(facts, "it is redirected to \(facts.finalURL)")
    }

    /// Segments say what they are.
    static let segmentType = Check<HTTPFacts>(
        Rule("segment-type", "A10.4", .should, "segments have a media type of media")
    ) { facts in
        guard facts.role == .segment || facts.role == .initialization, isThere(facts),
            case let type = facts.get.mediaType, !BodyKind.isMediaType(type)
        else { return [] }
        return at(facts, "its media type is \(type.debugDescription)")
    }

    /// HEAD says what GET says.
    static let head = Check<HTTPFacts>(
        Rule("head-equals-get", "H9.3.2", .should, "HEAD gives the status and headers of GET")
    ) { facts in
        guard let head = facts.head, isThere(facts) else { return [] }
        if head.status != facts.get.status { return at(facts, "HEAD gives \(head.status), GET \(facts.get.status)") }
        return ["content-length", "content-type", "etag"].flatMap { name -> [Violation] in
            guard let asked = facts.get.headers[name], head.headers[name] != asked else { return [] }
            return at(facts, "\(name) of HEAD is \(head.headers[name] ?? "missing"), of GET \(asked)")
        }
    }

    /// Parts can be had.
    static let range = Check<HTTPFacts>(
        Rule("range-206", "H14.2", .should, "a byte range of a segment is answered with 206 and those bytes")
    ) { facts in
        if facts.span != nil, facts.get.status == 200 {
            return at(facts, "the byte range that the playlist names is answered with 200 and the whole")
        }
        guard let range = facts.range else { return [] }
        if range.status != 206 { return at(facts, "a range is answered with \(range.status)") }
        if range.size != 1 { return at(facts, "a range of 1 byte gave \(range.size) bytes") }
        let said = range.headers["content-range"] ?? "missing"
        guard said.hasPrefix("bytes 0-0/") else { return at(facts, "its Content-Range is \(said)") }
        return range.isTrue == false ? at(facts, "a range gave other bytes than the whole has there") : []
    }

    /// Several parts can be had at once, or nothing is made of the wish.
    static let severalRanges = Check<HTTPFacts>(
        Rule(
            "ranges-multipart",
            "H14.2, H14.6",
            .should,
            "two byte ranges are answered with both in multipart/byteranges, or with the whole"
        )
    ) { facts in
        guard let answer = facts.severalRanges, facts.range?.status == 206, answer.status != 200 else { return [] }
        if answer.status != 206 { return at(facts, "two ranges are answered with \(answer.status)") }
        return answer.isTrue == false ? at(facts, "two ranges gave something else than these two") : []
    }

    /// A part of what is no longer the same is of no use.
    static let otherRange = Check<HTTPFacts>(
        Rule("if-range", "H13.1.5", .should, "a byte range with another entity tag in If-Range gives the whole")
    ) { facts in
        guard let answer = facts.otherRange, facts.range?.status == 206, answer.status != 200 else { return [] }
        return at(facts, "a range if its tag were another is answered with \(answer.status)")
    }

    /// Parts that are not there are refused.
    static let beyond = Check<HTTPFacts>(
        Rule("range-416", "H15.5.17", .should, "a byte range beyond the end is answered with 416")
    ) { facts in
        guard let beyond = facts.beyond, facts.range?.status == 206, beyond.status != 416 else { return [] }
        return at(facts, "a range beyond the end is answered with \(beyond.status)")
    }

    /// Playlists come packed.
    static let gzip = Check<HTTPFacts>(
        Rule(
            "playlist-gzip",
            "A10.1, R6.2.1 should, B6.2.1 should",
            .must,
            "a playlist over 1000 bytes is packed when the client takes that"
        )
    ) { facts in
        guard facts.role == .playlist, isThere(facts), facts.get.headers["content-encoding"] == nil,
            facts.get.size > 1000
        else { return [] }
        return at(facts, "its \(facts.get.size) bytes are not packed")
    }

    /// Caches know that it depends.
    static let vary = Check<HTTPFacts>(
        Rule("vary", "H12.5.5", .should, "what is packed on request has Vary: Accept-Encoding")
    ) { facts in
        guard facts.get.headers["content-encoding"] != nil else { return [] }
        let vary = (facts.get.headers["vary"] ?? "").lowercased()
        return vary.contains("accept-encoding") || vary == "*" ? [] : at(facts, "it is packed and has no Vary")
    }

    /// Caches can ask whether it has changed.
    static let tag = Check<HTTPFacts>(
        Rule("entity-tag", "own", .advice, "segments have a strong entity tag")
    ) { facts in
        guard facts.role == .segment || facts.role == .initialization, isThere(facts) else { return [] }
        guard let tag = facts.get.headers["etag"] else { return at(facts, "it has no ETag") }
        return tag.hasPrefix("W/") ? at(facts, "its ETag \(tag) is weak") : []
    }

    /// What has not changed is not sent again.
    static let unchanged = Check<HTTPFacts>(
        Rule("not-modified", "H13.1.2", .should, "a request with the entity tag is answered with 304")
    ) { facts in
        guard let answer = facts.unchanged, answer.status != 304 else { return [] }
        return at(facts, "If-None-Match with its ETag is answered with \(answer.status)")
    }

    /// What is not there is said not to be.
    static let missing = Check<HTTPFacts>(
        Rule("missing-404", "H15.5.5", .should, "a segment that is not there is answered with 404")
    ) { facts in
        guard let answer = facts.missing, answer.status != 404, answer.status != 410 else { return [] }
        return at(facts, "a name that is not there is answered with \(answer.status)")
    }

    /// What is not there is not waited for.
    static let missingAtOnce = Check<HTTPFacts>(
        Rule("missing-at-once", "own", .advice, "what is not there is refused within a second")
    ) { facts in
        guard let answer = facts.missing, answer.seconds > 1 else { return [] }
        return at(facts, "the answer to a name that is not there took \(Shown.seconds(answer.seconds))")
    }
}
