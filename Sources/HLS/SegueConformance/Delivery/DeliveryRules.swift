internal import SegueBase
internal import SeguePlaylists

/// The rules on the responses to plain requests.
enum DeliveryRules {
    static let all: [Check<HTTPFacts>] = [
        certificate, redirectsEnd, redirectSecure, whole, bound, encodingTrue, encodingUnasked, mediaGzip, typeFits,
        body, contentRange, rangeLength, again, tagTrue, unasked, firstByte,
    ]

    private static func at(_ facts: HTTPFacts, _ message: Message) -> [Violation] { HTTPRules.at(facts, message) }

    static let certificate = Check<HTTPFacts>(
        Rule(
            "certificate",
            in: .delivery,
            clauses: "H4.3.4",
            .must,
            requires: "an https server presents a valid certificate for its host name",
            fix: "renew the certificate, or add the host name and the intermediate certificates"
        )
    ) { facts in
        facts.get.trouble == .untrusted ? at(facts, facts.get.failure) : []
    }

    static let redirectsEnd = Check<HTTPFacts>(
        Rule(
            "redirects-end",
            in: .delivery,
            clauses: "R6.2.1, H15.4 should",
            .must,
            requires: "redirects end at an http or https URL after at most ten steps",
            fix: "point the URI at the final address"
        )
    ) { facts in
        facts.get.trouble == .redirects ? at(facts, facts.get.failure) : []
    }

    static let redirectSecure = Check<HTTPFacts>(
        Rule(
            "redirect-secure",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "https URLs are not redirected to http",
            fix: "redirect to an https URL"
        )
    ) { facts in
        let way = [facts.url] + facts.redirects.map(\.target)
        return zip(way, way.dropFirst()).filter { $0.hasPrefix("https:") && $1.hasPrefix("http:") }.prefix(1).flatMap {
            at(facts, "the https URL redirects to \(value: $1)")
        }
    }

    static let whole = Check<HTTPFacts>(
        Rule(
            "body-whole",
            in: .resources,
            clauses: "H8.6",
            .must,
            requires: "a body has as many bytes as its Content-Length states",
            fix: "check the origin's timeouts and any proxy that closes connections early"
        )
    ) { facts in
        if facts.get.isThere, facts.get.trouble == .truncated || facts.get.trouble == .other {
            let stated: Message = facts.get.headers["content-length"].map { " of \(value: $0)" } ?? ""
            return at(facts, "the body ended after \(facts.get.size)\(stated) bytes: \(facts.get.failure)")
        }
        guard facts.get.isThere, facts.get.trouble == .late else { return [] }
        return at(facts, "the body is incomplete: \(facts.get.failure)")
    }

    static let bound = Check<HTTPFacts>(
        Rule(
            "size-bound",
            in: .resources,
            clauses: "own",
            .advice,
            requires: "no resource exceeds the size that players and this validator read",
            fix: "split the resource into smaller ones"
        )
    ) { facts in
        facts.get.trouble == .tooLarge ? at(facts, facts.get.failure) : []
    }

    static let encodingTrue = Check<HTTPFacts>(
        Rule(
            "encoding-true",
            in: .delivery,
            clauses: "H8.4",
            .must,
            requires: "a body is encoded as its Content-Encoding states",
            fix: "remove the header, or encode the body once"
        )
    ) { facts in
        guard facts.get.trouble == .undecodable else { return [] }
        let coding = facts.get.headers["content-encoding"].map { " " + $0.debugDescription } ?? ""
        return at(facts, "the body does not decode with Content-Encoding\(coding): \(facts.get.failure)")
    }

    static let encodingUnasked = Check<HTTPFacts>(
        Rule(
            "encoding-unasked",
            in: .delivery,
            clauses: "H12.5.3",
            .should,
            requires: "a client that accepts no content encoding receives none",
            fix: "send the identity encoding unless Accept-Encoding lists another"
        )
    ) { facts in
        guard let coding = facts.plain?.headers["content-encoding"], coding.lowercased() != "identity" else {
            return []
        }
        return at(facts, "the response to Accept-Encoding: identity has Content-Encoding: \(coding)")
    }

    static let mediaGzip = Check<HTTPFacts>(
        Rule(
            "media-gzip",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "audio and video segments have no content encoding",
            fix: "exclude media types from compression; nginx: leave them out of gzip_types"
        )
    ) { facts in
        guard facts.role == .segment || facts.role == .initialization, facts.body != .subtitles else { return [] }
        return [facts.get, facts.range].compactMap { $0?.headers["content-encoding"] }.prefix(1).flatMap {
            at(facts, "the segment has Content-Encoding: \($0)")
        }
    }

    static let typeFits = Check<HTTPFacts>(
        Rule(
            "type-fits",
            in: .delivery,
            clauses: "A10.4",
            .should,
            requires: "each resource has the media type recommended for its format",
            fix:
                "map the file extension to the recommended media type; nginx: types { application/vnd.apple.mpegurl m3u8; video/mp2t ts; video/iso.segment m4s; }"
        )
    ) { facts in
        guard facts.get.isThere, let body = facts.body, let types = body.mediaTypes, facts.role != .key,
            (facts.role == .playlist) == (body == .playlist), case let type = facts.get.mediaType,
            !types.contains(type), facts.role == .playlist || BodyKind.isMediaType(type)
        else { return [] }
        let expected = types.sorted().joined(separator: " or ")
        return at(
            facts,
            "the body is \(body.rawValue), the media type is \(type.debugDescription), expected \(value: expected)"
        )
    }

    static let body = Check<HTTPFacts>(
        Rule(
            "body-kind",
            in: .resources,
            clauses: "R6.2.1",
            .must,
            requires: "a URL returns the resource that it names, not an error page or an empty body",
            fix: "return an error status for missing resources"
        )
    ) { facts in
        guard facts.get.isThere, facts.get.trouble == nil, let body = facts.body else { return [] }
        if body.isPage { return at(facts, "the body of the \(facts.get.status) response is \(body.rawValue)") }
        guard facts.role != .playlist, body == .playlist else { return [] }
        return at(facts, "the body is a playlist, expected a \(facts.role == .key ? "key" : "segment")")
    }

    static let contentRange = Check<HTTPFacts>(
        Rule(
            "content-range",
            in: .delivery,
            clauses: "H15.3.7.1",
            .must,
            requires: "a 206 response contains the bytes that its Content-Range states, within the requested range",
            fix: "make Content-Range match the body"
        )
    ) { facts in
        guard let span = facts.span, facts.get.status == 206, facts.get.trouble == nil else { return [] }
        let requested: Message = "\(span.offset)-\(span.offset + span.length - 1)"
        guard let stated = facts.get.headers["content-range"] else {
            return at(facts, "the 206 response has no Content-Range")
        }
        let words = stated.split(separator: " ", maxSplits: 1)
        let numbers = (words.last ?? "").split(separator: "/")[0...].first?.split(separator: "-").compactMap {
            Int64($0)
        }
        guard words.first?.lowercased() == "bytes", let numbers, numbers.count == 2, numbers[0] <= numbers[1] else {
            return at(facts, "Content-Range is \(value: stated.debugDescription), expected bytes FIRST-LAST/SIZE")
        }
        if numbers[0] != span.offset || numbers[1] >= span.offset + span.length {
            return at(
                facts,
                "Content-Range is \(value: stated.debugDescription), the request was for bytes \(requested)"
            )
        }
        let length = numbers[1] - numbers[0] + 1
        guard facts.get.size != length else { return [] }
        return [
            Violation(
                Place(url: facts.url),
                Comparison(
                    "the 206 response has",
                    Double(facts.get.size),
                    expected: .equal(Double(length)),
                    unit: .bytes,
                    origin: "by Content-Range"
                )
            )
        ]
    }

    static let rangeLength = Check<HTTPFacts>(
        Rule(
            "range-length",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "a 206 response has a Content-Length",
            fix: "send the length of the part"
        )
    ) { facts in
        let responses = [facts.span == nil ? nil : facts.get, facts.range].compactMap { $0 }
        return responses.contains { $0.status == 206 && !$0.headers.isEmpty && $0.headers["content-length"] == nil }
            ? at(facts, "the 206 response has no Content-Length") : []
    }

    static let again = Check<HTTPFacts>(
        Rule(
            "same-again",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "a repeated request for a segment returns the same bytes",
            fix: "do not reuse a URL for other content, and check that all servers hold the same version"
        )
    ) { facts in
        guard facts.role != .playlist, let again = facts.again, facts.get.isThere else { return [] }
        if again.status == 0 { return at(facts, "a repeated request fails: \(again.failure)") }
        if again.status != facts.get.status { return at(facts, "a repeated request returns \(again.status)") }
        return again.isTrue == false
            ? at(facts, "a repeated request returns \(again.size) different bytes") : []
    }

    static let tagTrue = Check<HTTPFacts>(
        Rule(
            "entity-tag-true",
            in: .delivery,
            clauses: "H8.8.1",
            .must,
            requires: "different bytes have different strong entity tags",
            fix: "derive the ETag from the content"
        )
    ) { facts in
        let others = [facts.again, facts.plain].compactMap { $0 }.filter { $0.isThere && $0.isTrue == false }
        guard facts.get.isThere, let tag = facts.get.headers["etag"], !tag.hasPrefix("W/"),
            others.contains(where: { $0.headers["etag"] == tag })
        else { return [] }
        return at(facts, "two responses with the entity tag \(value: tag) have different bytes")
    }

    static let unasked = Check<HTTPFacts>(
        Rule(
            "not-modified-unasked",
            in: .delivery,
            clauses: "H15.4.5",
            .must,
            requires: "304 answers conditional requests only",
            fix: "send 200 for requests without a condition"
        )
    ) { facts in
        guard
            let response = [facts.get, facts.again, facts.plain].compactMap({ $0 }).first(where: { $0.status == 304 })
        else { return [] }
        return at(facts, "a request without a condition returns \(response.status)")
    }

    /// The limit for the time to the first byte in seconds.
    private static let firstByteLimit = 2.0

    static let firstByte = Check<HTTPFacts>(
        Rule(
            "first-byte",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "the first byte of a response arrives within two seconds",
            fix: "check the origin's load and the cache's hit rate"
        )
    ) { facts in
        guard facts.get.isThere, facts.get.headSeconds > firstByteLimit else { return [] }
        let seconds = facts.get.headSeconds
        return [
            Violation(
                Place(url: facts.url),
                Comparison("the first byte took", seconds, expected: .atMost(firstByteLimit), unit: .seconds)
            )
        ]
    }
}
