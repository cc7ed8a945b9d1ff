import SegueBase
import SegueConformance
import SeguePlaylists

extension Break {
    /// The HTTP facts of a segment.
    private static func answer(_ rule: String, _ change: @escaping @Sendable (inout HTTPAnswer) -> Void) -> Break {
        http(rule) { facts in
            change(&facts.get)
            facts.head = nil
        }
    }

    /// A playlist with the HTTP facts of its response and of its segments.
    private static func playlist(
        _ rule: String,
        live: Bool = true,
        text change: @escaping @Sendable (String) -> String = { $0 },
        _ headers: [String: String],
        version: String = "1.1",
        scheme: String = "http",
        segment: [String: String] = ["cache-control": "max-age=60"],
        head: [String: String]? = nil
    ) -> Break {
        Break(rule: rule) {
            var http = Good.resource(.playlist)
            if let head { http.head?.headers.merge(head) { $1 } } else { http.head = nil }
            http.get.headers.merge(headers) { $1 }
            http.get.version = version
            http.finalURL = http.finalURL.replacing("http:", with: scheme + ":")
            var text = Good.transportText
            if live { text = text.replacing("#EXT-X-ENDLIST\n", with: "").replacing("VOD", with: "EVENT") }
            var facts = Good.resource(.segment)
            facts.head = nil
            facts.get.headers.merge(segment) { $1 }
            let document = PlaylistDocument(url: Good.base + "index.m3u8", bytes: Array(change(text).utf8), http: http)
            return Validator.findings(MediaSubject(document: document, resources: [facts]))
        }
    }

    private static let keptShort = ["cache-control": "max-age=2"]
    private static let sent = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// A live playlist that removes segments.
    private static func rolling(_ rule: String, segment: [String: String]) -> Break {
        playlist(rule, text: { $0.replacing("#EXT-X-PLAYLIST-TYPE:EVENT\n", with: "") }, keptShort, segment: segment)
    }

    /// A playlist and a segment with their HTTP facts; the playlist lists a second segment.
    private static func both(
        _ rule: String,
        naming uri: String = "1.ts",
        _ change: @escaping @Sendable (_ playlist: inout HTTPFacts, _ segment: inout HTTPFacts) -> Void = { _, _ in }
    ) -> Break {
        Break(rule: rule) {
            var (playlist, segment) = (Good.resource(.playlist), Good.resource(.segment))
            change(&playlist, &segment)
            let text = Good.transportText.replacing("1.ts", with: uri)
            let document = PlaylistDocument(url: playlist.url, bytes: Array(text.utf8), http: playlist)
            return Validator.findings(MediaSubject(document: document, resources: [segment]))
        }
    }

    private static func ranged(_ rule: String, _ contentRange: String?, size: Int = 100) -> Break {
        http(rule) { facts in
            facts.span = HTTPFacts.Span(offset: 100, length: 100)
            facts.get = HTTPAnswer(status: 206, headers: facts.get.headers, size: size)
            facts.get.headers["content-range"] = contentRange
            facts.head = nil
        }
    }

    /// The same without the rules that it breaks by necessity.
    private func besides(_ other: String) -> Break {
        Break(rule: rule) { findings().filter { $0.rule.id != other } }
    }

    static let delivered: [Break] = [
        .answer("certificate") { ($0.status, $0.trouble, $0.failure) = (0, .untrusted, "it has expired") },
        .answer("redirects-end") { ($0.status, $0.trouble, $0.failure) = (0, .redirects, "in a circle") },
        .http("redirect-secure", .playlist) { facts in
            facts.url = "https://h/a/index.m3u8"
            facts.redirects = [HTTPFacts.Redirect(status: 302, target: "http://h/b/index.m3u8")]
        },
        .answer("body-whole") { ($0.trouble, $0.size) = (.truncated, 5) },
        .answer("body-whole") { ($0.trouble, $0.size) = (.late, 5) },
        .answer("size-bound") { ($0.trouble, $0.failure) = (.tooLarge, "more than is read") },
        .answer("encoding-true") { ($0.trouble, $0.failure) = (.undecodable, "no gzip") },
        .http("encoding-unasked", .playlist) { facts in
            facts.plain = HTTPAnswer(status: 200, headers: ["content-encoding": "gzip"])
        },
        .answer("media-gzip") { answer in
            answer.headers["content-encoding"] = "gzip"
            answer.headers["vary"] = "Accept-Encoding"
        },
        .http("media-gzip") { $0.range?.headers["content-encoding"] = "gzip" },
        .http("type-fits") { $0.body = .movie },
        .http("type-fits", .playlist) { facts in
            facts.body = .playlist
            facts.get.headers["content-type"] = "application/x-mpegURL"
            facts.head = nil
        },
        .http("body-kind") { $0.body = .html },
        .http("body-kind") { $0.body = .json },
        .http("body-kind") { $0.body = .empty },
        .http("body-kind") { $0.body = .playlist },
        .http("body-kind", .playlist) { $0.body = .xml },
        .ranged("content-range", nil),
        .ranged("content-range", "bytes 0-99/564000"),
        .ranged("content-range", "bytes 100-199/564000", size: 564_000),
        .ranged("content-range", "bytes */564000"),
        .ranged("content-range", "bytes 199-100/564000"),
        .http("range-206") { facts in
            facts.span = HTTPFacts.Span(offset: 0, length: 100)
        },
        .http("range-length") { $0.range?.headers["content-length"] = nil },
        .http("same-again") { facts in
            facts.again = HTTPAnswer(status: 200, headers: ["etag": "\"b\""])
            facts.again?.isTrue = false
        },
        .http("same-again") { $0.again = HTTPAnswer(status: 403) },
        .http("entity-tag-true", .playlist) { facts in
            facts.again = HTTPAnswer(status: 200, headers: ["etag": "\"a\""])
            facts.again?.isTrue = false
        },
        .answer("not-modified-unasked") { $0 = HTTPAnswer(status: 304) },
        .answer("first-byte") { $0.headSeconds = 2.5 },
        .answer("last-modified") { answer in
            answer.headers["date"] = sent
            answer.headers["last-modified"] = "Sun, 06 Nov 1994 08:49:38 GMT"
        },
        .answer("stale") { $0.headers.merge(["age": "61", "cache-control": "max-age=60"]) { $1 } },
        .playlist("live-cache", ["cache-control": "max-age=86400"]),
        .playlist("live-cache", [:]),
        .playlist(
            "live-lag",
            ["cache-control": "max-age=2", "date": sent, "last-modified": "Sun, 06 Nov 1994 08:49:18 GMT"]
        ),
        .playlist("http-2", live: false, text: withPart, [:], scheme: "https").breaking("part-hold-back"),
        .rolling("segment-expires", segment: [:]).breaking("live-segments", "live-date"),
        .playlist("vod-cache", live: false, [:], segment: ["cache-control": "no-store"]),
        .both("cors-everywhere") { playlist, segment in
            playlist.get.headers["access-control-allow-origin"] = "*"
        },
        .both("cors-everywhere") { playlist, segment in playlist.origin = "https://player.invalid" },
        .both("cors-everywhere") { playlist, segment in
            playlist.preflight = HTTPAnswer(status: 204, headers: ["access-control-allow-origin": "*"])
        },
        .both("cors-everywhere") { playlist, segment in
            playlist.get.headers["access-control-allow-origin"] = "*"
            segment.get.headers["access-control-allow-origin"] = "*"
            segment.again = HTTPAnswer(status: 200)
            segment.missing?.headers["access-control-allow-origin"] = "*"
        },
        .both("cors-everywhere") { playlist, segment in
            playlist.get.headers["access-control-allow-origin"] = "*"
            segment.get.headers["access-control-allow-origin"] = "*"
        },
        .answerOpen("cors-value", "*, *"),
        .answerOpen("cors-value", "https://other.example"),
        .answerOpen("cors-value", "*", credentials: true),
        .answerOpen("cors-vary", "https://player.invalid", vary: nil),
        .both("mixed-content") { playlist, segment in playlist.url = "https://h/a/index.m3u8" },
        .both("token-carried") { playlist, segment in
            playlist.url += "?token=1"
            segment.get = HTTPAnswer(status: 403)
        }.besides("uri-resolves"),
        .both("open-media") { playlist, segment in
            playlist.bare = HTTPAnswer(status: 403)
            segment.bare = HTTPAnswer(status: 200)
        },
        .both("uri-scheme", naming: "file:///etc/passwd"),
        .both("uri-scheme", naming: "FTP://h/1.ts"),
        .both("uri-dots", naming: "x/%2e%2E/1.ts"),
        .both("uri-dots", naming: "../../1.ts"),
        .both("uri-user", naming: "http://user:secret@h/a/1.ts"),
    ]

    /// Near misses, which break no rule.
    static let kept: [Break] = keptMedia + keptDeliveries + keptDecoded + keptPictures

    private static let keptDeliveries: [Break] = [
        .fragments("duration-true") { subject in
            let (last, frame) = (subject.segments.count - 1, Rational(1024, 48_000))
            for index in subject.segments[last].tracks.indices {
                var track = subject.segments[last].tracks[index]
                guard track.kind == .audio, let duration = track.duration, let samples = track.samples else { continue }
                (track.duration, track.samples) = (duration + frame, samples + 1)
                track.last = track.last.map { $0 + frame }
                subject.segments[last].tracks[index] = track
            }
        },
        .media("duration-true", { Good.audio }) { subject in
            // One frame of AAC of which 560 of 1024 samples are left, as FFmpeg writes it.
            let text = Good.transportText.replacing("5.000000", with: "0.021333")
            subject.document = Good.document(text, name: "sound.m3u8")
            subject.segments[2].tracks[0].samples = 1
            subject.segments[2].tracks[0].duration = Rational(560, 48_000)
            subject.segments[2].tracks[0].last = subject.segments[2].tracks[0].start
        }.breaking("sliver"),
        .scales("same-timescale", [50, 25], [50, 25]),
        .http("redirect-secure", .playlist) { facts in
            facts.redirects = [HTTPFacts.Redirect(status: 302, target: "https://h/b/index.m3u8")]
        },
        .http("encoding-unasked", .playlist) { $0.plain = HTTPAnswer(status: 200) },
        .http("media-gzip") { facts in
            facts.body = .subtitles
            facts.get.headers.merge(["content-encoding": "gzip", "vary": "Accept-Encoding", "content-type": "text/vtt"])
            { $1 }
            facts.head = nil
        },
        .http("type-fits") { $0.body = .transportStream },
        .http("type-fits", .playlist) { $0.body = .playlist },
        .http("body-kind") { $0.body = .unknown },
        .ranged("content-range", "bytes 100-199/564000"),
        .ranged("content-range", "bytes 100-199/*"),
        .http("same-again") { facts in
            facts.again = HTTPAnswer(status: 200, headers: ["etag": "\"b\""])
            facts.again?.isTrue = true
        },
        .http("entity-tag-true", .playlist) { facts in
            facts.plain = HTTPAnswer(status: 200, headers: ["etag": "\"b\""])
            facts.plain?.isTrue = false
        },
        .answer("first-byte") { $0.headSeconds = 1.9 },
        .answer("last-modified") { answer in
            answer.headers["date"] = sent
            answer.headers["last-modified"] = sent
        },
        .answer("stale") { $0.headers.merge(["age": "60", "cache-control": "max-age=60"]) { $1 } },
        .playlist("live-cache", keptShort),
        .playlist("head-equals-get", keptShort, head: ["etag": "\"later\""]),
        .playlist("live-cache", ["cache-control": "no-store"]),
        .playlist("live-cache", live: false, ["cache-control": "max-age=86400"]),
        .playlist(
            "live-lag",
            ["cache-control": "max-age=2", "date": sent, "last-modified": "Sun, 06 Nov 1994 08:49:19 GMT"]
        ),
        .playlist("http-2", live: false, text: withPart, [:], version: "2", scheme: "https").breaking("part-hold-back"),
        .playlist("http-2", live: false, text: withPart, [:]).breaking("part-hold-back"),
        .rolling("segment-expires", segment: ["cache-control": "max-age=60"]).breaking("live-segments", "live-date"),
        .rolling("segment-expires", segment: ["expires": sent]).breaking("live-segments", "live-date"),
        .both("cors-everywhere") { playlist, segment in
            for name in ["access-control-allow-origin"] {
                playlist.get.headers[name] = "*"
                segment.get.headers[name] = "*"
                segment.missing?.headers[name] = "*"
            }
        },
        .answerOpen("cors-value", "*"),
        .answerOpen("cors-vary", "https://player.invalid", vary: "Accept-Encoding, Origin"),
        .both("open-media") { playlist, segment in
            playlist.bare = HTTPAnswer(status: 403)
            segment.bare = HTTPAnswer(status: 403)
        },
        .both("uri-scheme", naming: "HTTP://h/a/1.ts"),
        .both("uri-dots", naming: "../1.ts"),
        .both("uri-dots", naming: "a%2eb/1.ts?x=../../../.."),
        .both("uri-user", naming: "http://h/a@b/1.ts"),
    ]

    @Sendable private static func withPart(_ text: String) -> String {
        text.replacing("#EXT-X-ENDLIST", with: "#EXT-X-PART:DURATION=1,URI=\"p.ts\"\n#EXT-X-ENDLIST")
            .replacing("#EXT-X-TARGETDURATION", with: "#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-TARGETDURATION")
    }

    private static func answerOpen(
        _ rule: String,
        _ origin: String,
        vary: String? = "Origin",
        credentials: Bool = false
    ) -> Break {
        http(rule) { facts in
            facts.origin = "https://player.invalid"
            facts.get.headers["access-control-allow-origin"] = origin
            facts.get.headers["vary"] = vary
            if credentials { facts.get.headers["access-control-allow-credentials"] = "true" }
            facts.missing?.headers["access-control-allow-origin"] = origin
        }
    }
}
