internal import SegueBase

/// The rules on HTTP delivery.
enum HTTPRules {
    static let all: [Check<HTTPFacts>] =
        [
            resolves, redirected, segmentType, head, range, severalRanges, otherRange, beyond, gzip, vary, tag,
            unchanged,
            missing, missingAtOnce,
        ] + ClientRules.ofResource + DeliveryRules.all + CachingRules.ofResource + CrossOriginRules.ofResource

    static func at(_ facts: HTTPFacts, _ message: Message) -> [Violation] {
        [Violation(Place(url: facts.url), message)]
    }

    private static func isThere(_ facts: HTTPFacts) -> Bool { facts.get.isThere }

    /// Returns true if findings show that the body is not worth checking.
    static func isUseless(_ found: [BrokenRule]) -> Bool {
        let rules = [
            resolves.rule, DeliveryRules.certificate.rule, DeliveryRules.redirectsEnd.rule, DeliveryRules.whole.rule,
            DeliveryRules.bound.rule, DeliveryRules.encodingTrue.rule, DeliveryRules.unasked.rule,
            DeliveryRules.body.rule,
        ]
        return found.contains { rules.contains($0.rule) }
    }

    static let resolves = Check<HTTPFacts>(
        Rule(
            "uri-resolves",
            in: .syntax,
            clauses: "R6.2.1, B6.2.1",
            .must,
            requires: "every URI resolves to 200 or 206",
            fix: "publish the resource, or correct the URI"
        )
    ) { facts in
        // These failures have rules of their own.
        let named: [HTTPAnswer.Trouble?] = [.untrusted, .redirects, .tooLarge, .undecodable]
        guard !isThere(facts), facts.get.status != 304, !named.contains(facts.get.trouble) else { return [] }
        return at(facts, facts.get.status == 0 ? facts.get.failure : facts.get.statusText)
    }

    static let redirected = Check<HTTPFacts>(
        Rule(
            "media-redirected",
            in: .delivery,
            clauses: "A8.18",
            .must,
            requires: "segments are not redirected",
            fix: "list the final URL in the playlist"
        )
    ) { facts in
        guard facts.role == .segment || facts.role == .initialization, facts.finalURL != facts.url else { return [] }
        return at(facts, "the segment redirects to \(value: facts.finalURL)")
    }

    static let segmentType = Check<HTTPFacts>(
        Rule(
            "segment-type",
            in: .delivery,
            clauses: "A10.4",
            .should,
            requires: "segments have an audio, video, or text media type",
            fix:
                "map the file extension to a media type such as video/mp4; nginx: types { video/mp2t ts; video/mp4 mp4 m4s; }"
        )
    ) { facts in
        guard facts.role == .segment || facts.role == .initialization, isThere(facts),
            case let type = facts.get.mediaType, !BodyKind.isMediaType(type)
        else { return [] }
        return at(facts, "the media type is \(type.debugDescription), expected one of audio, video, or text")
    }

    static let head = Check<HTTPFacts>(
        Rule(
            "head-equals-get",
            in: .delivery,
            clauses: "H9.3.2",
            .should,
            requires: "HEAD returns the status and header fields of GET",
            fix: "serve HEAD by the same handler as GET"
        )
    ) { facts in
        guard let head = facts.head, isThere(facts) else { return [] }
        if head.status != facts.get.status {
            let result: Message = head.status == 0 ? "HEAD receives no response" : "HEAD returns \(head.status)"
            return at(facts, "\(result), GET returns \(facts.get.status)")
        }
        return ["content-length", "content-type", "etag"].flatMap { name -> [Violation] in
            guard let value = facts.get.headers[name], head.headers[name] != value else { return [] }
            return at(facts, "\(name) of HEAD is \(value: head.headers[name] ?? "missing"), of GET \(value: value)")
        }
    }

    static let range = Check<HTTPFacts>(
        Rule(
            "range-206",
            in: .delivery,
            clauses: "H14.2",
            .should,
            requires: "a byte-range request for a segment returns 206 and exactly those bytes",
            fix: "enable range requests on the server; nginx: do not set max_ranges 0; Python's http.server has none"
        )
    ) { facts in
        if facts.span != nil, facts.get.status == 200 {
            return at(facts, "the request for the byte range of the playlist returns 200 with the whole resource")
        }
        guard let range = facts.range else { return [] }
        if range.status != 206 { return at(facts, "a range request returns \(range.status)") }
        if range.size != 1 { return at(facts, "a request for 1 byte returns \(range.size) bytes") }
        let value = range.headers["content-range"] ?? "missing"
        guard value.hasPrefix("bytes 0-0/") else {
            return at(facts, "Content-Range is \(value: value), expected bytes 0-0/SIZE")
        }
        return range.isTrue == false ? at(facts, "a range request returns other bytes than the whole resource") : []
    }

    static let severalRanges = Check<HTTPFacts>(
        Rule(
            "ranges-multipart",
            in: .delivery,
            clauses: "H14.2, H14.6",
            .should,
            requires: "a request for two byte ranges returns both as multipart/byteranges, or the whole resource",
            fix: "return 200 with the whole resource if several ranges are not supported"
        )
    ) { facts in
        guard let response = facts.severalRanges, facts.range?.status == 206, response.status != 200 else { return [] }
        if response.status != 206 { return at(facts, "a request for two ranges returns \(response.status)") }
        return response.isTrue == false ? at(facts, "a request for two ranges returns other bytes") : []
    }

    static let otherRange = Check<HTTPFacts>(
        Rule(
            "if-range",
            in: .delivery,
            clauses: "H13.1.5",
            .should,
            requires: "a byte-range request whose If-Range does not match returns the whole resource",
            fix: "compare If-Range with the current ETag"
        )
    ) { facts in
        guard let response = facts.otherRange, facts.range?.status == 206, response.status != 200 else { return [] }
        return at(facts, "a range request whose If-Range does not match returns \(response.status), expected 200")
    }

    static let beyond = Check<HTTPFacts>(
        Rule(
            "range-416",
            in: .delivery,
            clauses: "H15.5.17",
            .should,
            requires: "a byte range beyond the end returns 416",
            fix: "return 416 with Content-Range: bytes */SIZE"
        )
    ) { facts in
        guard let beyond = facts.beyond, facts.range?.status == 206, beyond.status != 416 else { return [] }
        return at(facts, "a range request beyond the end returns \(beyond.status), expected 416")
    }

    static let gzip = Check<HTTPFacts>(
        Rule(
            "playlist-gzip",
            in: .delivery,
            clauses: "A10.1, R6.2.1 should, B6.2.1 should",
            .must,
            requires: "playlists over 1000 bytes are gzip-compressed when the client accepts it",
            fix: "enable gzip for application/vnd.apple.mpegurl; nginx: gzip on, and gzip_types with that type"
        )
    ) { facts in
        guard facts.role == .playlist, isThere(facts), facts.get.headers["content-encoding"] == nil,
            facts.get.size > 1000
        else { return [] }
        return at(facts, "the playlist of \(facts.get.size) bytes is not compressed")
    }

    static let vary = Check<HTTPFacts>(
        Rule(
            "vary",
            in: .delivery,
            clauses: "H12.5.5",
            .should,
            requires: "a response compressed on request has Vary: Accept-Encoding",
            fix: "add Vary: Accept-Encoding"
        )
    ) { facts in
        guard facts.get.headers["content-encoding"] != nil else { return [] }
        let vary = (facts.get.headers["vary"] ?? "").lowercased()
        return vary.contains("accept-encoding") || vary == "*"
            ? [] : at(facts, "the compressed response has no Vary: Accept-Encoding")
    }

    static let tag = Check<HTTPFacts>(
        Rule(
            "entity-tag",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "segments have a strong entity tag",
            fix: "send an ETag without the prefix W/"
        )
    ) { facts in
        guard facts.role == .segment || facts.role == .initialization, isThere(facts) else { return [] }
        guard let tag = facts.get.headers["etag"] else { return at(facts, "ETag is missing") }
        return tag.hasPrefix("W/") ? at(facts, "the ETag \(value: tag) is weak") : []
    }

    static let unchanged = Check<HTTPFacts>(
        Rule(
            "not-modified",
            in: .delivery,
            clauses: "H13.1.2",
            .should,
            requires: "a request with a matching If-None-Match returns 304",
            fix: "compare If-None-Match with the current ETag"
        )
    ) { facts in
        guard let response = facts.unchanged, response.status != 304 else { return [] }
        return at(facts, "a request with the current ETag in If-None-Match returns \(response.status), expected 304")
    }

    static let missing = Check<HTTPFacts>(
        Rule(
            "missing-404",
            in: .delivery,
            clauses: "H15.5.5",
            .should,
            requires: "a missing segment returns 404",
            fix: "return 404 instead of another status or a default page; nginx: try_files $uri =404"
        )
    ) { facts in
        guard let response = facts.missing, response.status != 404, response.status != 410 else { return [] }
        return at(facts, "a request for a missing segment returns \(response.status), expected 404")
    }

    static let missingAtOnce = Check<HTTPFacts>(
        Rule(
            "missing-at-once",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "a request for a missing resource fails within one second",
            fix: "do not wait for resources that are not announced"
        )
    ) { facts in
        guard let response = facts.missing, response.seconds > 1 else { return [] }
        return [
            Violation(
                Place(url: facts.url),
                Comparison(
                    "the response for a missing segment took",
                    response.seconds,
                    expected: .atMost(1),
                    unit: .seconds
                )
            )
        ]
    }
}
