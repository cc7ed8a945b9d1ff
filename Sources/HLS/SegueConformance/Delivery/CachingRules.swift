internal import SegueBase
internal import SeguePlaylists

/// The rules on caching header fields.
enum CachingRules {
    static let ofResource: [Check<HTTPFacts>] = [lastModified, stale]
    static let ofPlaylist: [Check<PlaylistDocument>] = [live, lag, secondVersion]
    static let ofMedia: [Check<MediaSubject>] = [expires, vod]

    private static func seconds(_ response: HTTPAnswer, _ name: String) -> Int64? {
        response.headers[name].flatMap { HTTPDate.secondsSince1970($0) }
    }

    static let lastModified = Check<HTTPFacts>(
        Rule(
            "last-modified",
            in: .delivery,
            clauses: "H8.8.2.1",
            .must,
            requires: "Last-Modified is not later than Date",
            fix: "send the time of the last change, and synchronize the clocks of the servers"
        )
    ) { facts in
        guard facts.get.isThere, let changed = seconds(facts.get, "last-modified"),
            let sent = seconds(facts.get, "date"),
            changed > sent
        else { return [] }
        return HTTPRules.at(facts, "Last-Modified is \(changed - sent) s after Date")
    }

    static let stale = Check<HTTPFacts>(
        Rule(
            "stale",
            in: .delivery,
            clauses: "H9111.4.2.4",
            .must,
            requires: "a cache serves no response whose Age exceeds its max-age",
            fix: "make the cache revalidate expired responses"
        )
    ) { facts in
        guard facts.get.isThere, let age = facts.get.headers["age"].flatMap({ Int64($0) }),
            let life = CacheControl(facts.get).sharedLife, age > life
        else { return [] }
        return [
            Violation(
                Place(url: facts.url),
                Comparison(
                    "Age is",
                    Double(age),
                    expected: .atMost(Double(life)),
                    unit: .seconds,
                    origin: "by the cache lifetime"
                )
            )
        ]
    }

    static let live = Check<PlaylistDocument>(
        Rule(
            "live-cache",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "caches may keep a live playlist for at most half a target duration",
            fix:
                "send Cache-Control: max-age with half the target duration, rounded down; nginx: add_header Cache-Control in the location of *.m3u8"
        )
    ) { document in
        guard let http = document.http, http.get.isThere, let media = document.media, media.isLive else { return [] }
        let control = CacheControl(http.get)
        if control.forbids { return [] }
        guard let life = control.sharedLife else {
            return [Violation(document.place(), "the response has neither Cache-Control nor Expires")]
        }
        let limit = max(1, Int64(media.targetDuration) / 2)
        guard life > limit else { return [] }
        return [
            Violation(
                document.place(),
                Comparison(
                    "the cache lifetime is",
                    Double(life),
                    expected: .atMost(Double(limit)),
                    unit: .seconds,
                    origin: "(half the target duration)"
                )
            )
        ]
    }

    static let lag = Check<PlaylistDocument>(
        Rule(
            "live-lag",
            in: .delivery,
            clauses: "A8.24",
            .should,
            requires: "the Last-Modified of a live playlist is at most three target durations old",
            fix: "check that the packager still writes and that no cache serves an old version"
        )
    ) { document in
        guard let response = document.http?.get, response.isThere, let media = document.media, media.isLive,
            let changed = seconds(response, "last-modified"), let sent = seconds(response, "date"),
            case let lag = sent - changed + (response.headers["age"].flatMap { Int64($0) } ?? 0),
            lag > 3 * Int64(media.targetDuration)
        else { return [] }
        return [
            Violation(
                document.place(),
                Comparison(
                    "the age of the last change is",
                    Double(lag),
                    expected: .atMost(Double(3 * media.targetDuration)),
                    unit: .seconds,
                    origin: "(3 target durations)"
                )
            )
        ]
    }

    static let secondVersion = Check<PlaylistDocument>(
        Rule(
            "http-2",
            in: .delivery,
            clauses: "BB.1",
            .must,
            requires: "low-latency playlists and segments of an https server are delivered over HTTP/2 or HTTP/3",
            fix: "enable HTTP/2 on the server or on the CDN; nginx: listen 443 ssl http2"
        )
    ) { document in
        // Clients negotiate HTTP/2 in the TLS handshake; without TLS, they use HTTP/1.1.
        guard let facts = document.http, facts.finalURL.hasPrefix("https:"), case let version = facts.get.version,
            version.hasPrefix("1"), !document.tags("#EXT-X-PART").isEmpty
        else { return [] }
        return [Violation(document.place(), "the playlist has parts and is delivered over HTTP/\(version)")]
    }

    static let expires = Check<MediaSubject>(
        Rule(
            "segment-expires",
            in: .delivery,
            clauses: "R6.2.2, B6.2.2",
            .should,
            requires: "segments that leave a live playlist carry Expires or max-age",
            fix: "send Cache-Control: max-age with the time for which the segment stays available"
        )
    ) { subject in
        guard subject.playlist.isLive, subject.playlist.kind == nil, subject.document.media != nil else { return [] }
        return subject.resources.filter { facts in
            facts.role == .segment && facts.get.isThere && facts.get.headers["expires"] == nil
                && CacheControl(facts.get).sharedLife == nil
        }.flatMap { HTTPRules.at($0, "the response has neither Expires nor max-age") }
    }

    static let vod = Check<MediaSubject>(
        Rule(
            "vod-cache",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "segments of a finished playlist are cacheable",
            fix: "send Cache-Control: public, max-age with a long lifetime; nginx: expires 1d"
        )
    ) { subject in
        guard subject.playlist.hasEndList, subject.document.media != nil else { return [] }
        return subject.resources.filter { facts in
            let control = CacheControl(facts.get)
            return facts.role == .segment && facts.get.isThere && (control.forbids || control.sharedLife == 0)
        }.flatMap { HTTPRules.at($0, "Cache-Control is \($0.get.headers["cache-control", default: ""])") }
    }
}

extension MediaPlaylist {
    /// True if segments will be added.
    fileprivate var isLive: Bool { !hasEndList && kind != .vod && !segments.isEmpty }
}

/// The cache directives of a response.
struct CacheControl {
    /// True if shared caches must not store the response, or must revalidate it.
    let forbids: Bool

    /// The lifetime in shared caches in seconds; nil if no header field states it.
    let sharedLife: Int64?

    init(_ response: HTTPAnswer) {
        let words = (response.headers["cache-control"] ?? "").lowercased().split(separator: ",").map { part in
            part.filter { $0 != " " }
        }
        func number(_ name: String) -> Int64? {
            words.first { $0.hasPrefix(name + "=") }.flatMap {
                Int64($0.dropFirst(name.count + 1).filter { $0 != "\"" })
            }
        }
        forbids = words.contains("no-store") || words.contains("no-cache") || words.contains("private")
        let expires = response.headers["expires"].flatMap { HTTPDate.secondsSince1970($0) }
        let sent = response.headers["date"].flatMap { HTTPDate.secondsSince1970($0) }
        let untilThen = expires.flatMap { expires in sent.map { max(0, expires - $0) } }
        sharedLife = number("s-maxage") ?? number("max-age") ?? untilThen
    }
}
