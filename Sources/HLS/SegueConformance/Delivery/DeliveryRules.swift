internal import SeguePlaylists

/// The rules on what comes when a resource is asked for.
enum DeliveryRules {
    static let all: [Check<HTTPFacts>] = [
        certificate, redirectsEnd, redirectSecure, whole, bound, encodingTrue, encodingUnasked, mediaGzip, typeFits,
        body, contentRange, rangeLength, again, tagTrue, unasked, firstByte,
    ]

    private static func at(_ facts: HTTPFacts, _ message: String) -> [Violation] { HTTPRules.at(facts, message) }

    /// TLS says who answers.
    static let certificate = Check<HTTPFacts>(
        Rule("certificate", "H4.3.4", .must, "an https server shows a certificate that is valid and its own")
    ) { facts in
        facts.get.trouble == .untrusted ? at(facts, facts.get.failure) : []
    }

    /// Redirects lead somewhere.
    static let redirectsEnd = Check<HTTPFacts>(
        Rule("redirects-end", "R6.2.1, H15.4 should", .must, "redirects end at an http or https URL after at most ten")
    ) { facts in
        facts.get.trouble == .redirects ? at(facts, facts.get.failure) : []
    }

    /// What was asked for in secret is not answered in the open.
    static let redirectSecure = Check<HTTPFacts>(
        Rule("redirect-secure", "own", .advice, "https is not redirected to http")
    ) { facts in
        let way = [facts.url] + facts.redirects.map(\.target)
        return zip(way, way.dropFirst()).filter { $0.hasPrefix("https:") && $1.hasPrefix("http:") }.prefix(1).flatMap {
            at(facts, "it is redirected to \($1)")
        }
    }

    /// What is announced comes.
    static let whole = Check<HTTPFacts>(
        Rule("body-whole", "H8.6", .must, "a body has as many bytes as its Content-Length says")
    ) { facts in
        if facts.get.isThere, facts.get.trouble == .truncated || facts.get.trouble == .other {
            let announced = facts.get.headers["content-length"].map { " of \($0)" } ?? ""
            return at(facts, "it broke off after \(facts.get.size)\(announced) bytes: \(facts.get.failure)")
        }
        guard facts.get.isThere, facts.get.trouble == .late else { return [] }
        return at(facts, "it did not come to its end: \(facts.get.failure)")
    }

    /// What is fetched can be held.
    static let bound = Check<HTTPFacts>(
        Rule("size-bound", "own", .advice, "no resource is larger than a player, or this validator, will read")
    ) { facts in
        facts.get.trouble == .tooLarge ? at(facts, facts.get.failure) : []
    }

    /// Encodings are as they are said to be.
    static let encodingTrue = Check<HTTPFacts>(
        Rule("encoding-true", "H8.4", .must, "a body is encoded as its Content-Encoding says")
    ) { facts in
        guard facts.get.trouble == .undecodable else { return [] }
        let said = facts.get.headers["content-encoding"].map { ", \($0.debugDescription)," } ?? ""
        return at(facts, "its Content-Encoding\(said) is not what it is: \(facts.get.failure)")
    }

    /// Encodings are taken, not given.
    static let encodingUnasked = Check<HTTPFacts>(
        Rule("encoding-unasked", "H12.5.3", .should, "a client that takes no encoding is sent none")
    ) { facts in
        guard let coding = facts.plain?.headers["content-encoding"], coding.lowercased() != "identity" else {
            return []
        }
        return at(facts, "Accept-Encoding: identity is answered with Content-Encoding: \(coding)")
    }

    /// Media are packed already.
    static let mediaGzip = Check<HTTPFacts>(
        Rule("media-gzip", "own", .advice, "segments of film and sound, and parts of them, come without an encoding")
    ) { facts in
        guard facts.role == .segment || facts.role == .initialization, facts.body != .subtitles else { return [] }
        return [facts.get, facts.range].compactMap { $0?.headers["content-encoding"] }.prefix(1).flatMap {
            at(facts, "it comes with Content-Encoding: \($0)")
        }
    }

    /// Types are the right ones.
    static let typeFits = Check<HTTPFacts>(
        Rule("type-fits", "A10.4", .should, "each resource has the media type that is recommended for what it is")
    ) { facts in
        guard facts.get.isThere, let body = facts.body, let types = body.mediaTypes, facts.role != .key,
            (facts.role == .playlist) == (body == .playlist), case let type = facts.get.mediaType,
            !types.contains(type), facts.role == .playlist || BodyKind.isMediaType(type)
        else { return [] }
        return at(facts, "it is \(body.rawValue), its media type \(type.debugDescription)")
    }

    /// What comes is what was asked for.
    static let body = Check<HTTPFacts>(
        Rule("body-kind", "R6.2.1", .must, "a URL gives what it is for: no page of an error, and nothing empty")
    ) { facts in
        guard facts.get.isThere, facts.get.trouble == nil, let body = facts.body else { return [] }
        if body.isPage { return at(facts, "it is answered with \(facts.get.status), and is \(body.rawValue)") }
        guard facts.role != .playlist, body == .playlist else { return [] }
        return at(facts, "it is a playlist, and no \(facts.role == .key ? "key" : "segment")")
    }

    /// Parts are the parts that they say they are.
    static let contentRange = Check<HTTPFacts>(
        Rule(
            "content-range",
            "H15.3.7.1",
            .must,
            "a 206 has the bytes that its Content-Range says, which were asked for"
        )
    ) { facts in
        guard let span = facts.span, facts.get.status == 206, facts.get.trouble == nil else { return [] }
        let asked = "\(span.offset)-\(span.offset + span.length - 1)"
        guard let said = facts.get.headers["content-range"] else { return at(facts, "its 206 has no Content-Range") }
        let words = said.split(separator: " ", maxSplits: 1)
        let numbers = (words.last ?? "").split(separator: "/")[0...].first?.split(separator: "-").compactMap {
            Int64($0)
        }
        guard words.first?.lowercased() == "bytes", let numbers, numbers.count == 2, numbers[0] <= numbers[1] else {
            return at(facts, "its Content-Range is \(said.debugDescription)")
        }
        if numbers[0] != span.offset || numbers[1] >= span.offset + span.length {
            return at(facts, "bytes \(asked) were asked for, its Content-Range is \(said.debugDescription)")
        }
        let length = numbers[1] - numbers[0] + 1
        return facts.get.size == length
            ? [] : at(facts, "its Content-Range tells of \(length) bytes, \(facts.get.size) came")
    }

    /// Parts say how long they are.
    static let rangeLength = Check<HTTPFacts>(
        Rule("range-length", "own", .advice, "a 206 has a Content-Length")
    ) { facts in
        let answers = [facts.span == nil ? nil : facts.get, facts.range].compactMap { $0 }
        return answers.contains { $0.status == 206 && !$0.headers.isEmpty && $0.headers["content-length"] == nil }
            ? at(facts, "its 206 has none") : []
    }

    /// What is the same URL is the same segment.
    static let again = Check<HTTPFacts>(
        Rule("same-again", "own", .advice, "a segment that is asked for again has the same bytes")
    ) { facts in
        guard facts.role != .playlist, let again = facts.again, facts.get.isThere else { return [] }
        if again.status == 0 { return at(facts, "asked for again: \(again.failure)") }
        if again.status != facts.get.status { return at(facts, "asked for again, it is answered with \(again.status)") }
        return again.isTrue == false
            ? at(facts, "asked for again, it has \(again.size) bytes, and they are others") : []
    }

    /// Tags tell versions apart.
    static let tagTrue = Check<HTTPFacts>(
        Rule("entity-tag-true", "H8.8.1", .must, "what has other bytes has another strong entity tag")
    ) { facts in
        let others = [facts.again, facts.plain].compactMap { $0 }.filter { $0.isThere && $0.isTrue == false }
        guard facts.get.isThere, let tag = facts.get.headers["etag"], !tag.hasPrefix("W/"),
            others.contains(where: { $0.headers["etag"] == tag })
        else { return [] }
        return at(facts, "two answers with the entity tag \(tag) have different bytes")
    }

    /// What was not seen has not stayed the same.
    static let unasked = Check<HTTPFacts>(
        Rule("not-modified-unasked", "H15.4.5", .must, "304 is the answer to a conditional request alone")
    ) { facts in
        guard let answer = [facts.get, facts.again, facts.plain].compactMap({ $0 }).first(where: { $0.status == 304 })
        else { return [] }
        return at(facts, "a request without a condition is answered with \(answer.status)")
    }

    /// How many seconds a first byte may take.
    private static let mostHeadSeconds = 2.0

    /// What is there comes at once.
    static let firstByte = Check<HTTPFacts>(
        Rule("first-byte", "own", .advice, "the first byte of what is there comes within two seconds")
    ) { facts in
        guard facts.get.isThere, facts.get.headSeconds > mostHeadSeconds else { return [] }
        return at(facts, "it took \(Shown.seconds(facts.get.headSeconds))")
    }
}
