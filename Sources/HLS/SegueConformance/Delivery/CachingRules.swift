internal import SegueBase
internal import SeguePlaylists

/// The rules on what caches are told.
enum CachingRules {
    static let ofResource: [Check<HTTPFacts>] = [lastModified, stale]
    static let ofPlaylist: [Check<PlaylistDocument>] = [live, lag, secondVersion]
    static let ofMedia: [Check<MediaSubject>] = [expires, vod]

    private static func seconds(_ answer: HTTPAnswer, _ name: String) -> Int64? {
        answer.headers[name].flatMap { HTTPDate.secondsSince1970($0) }
    }

    /// Nothing changed after it was sent.
    static let lastModified = Check<HTTPFacts>(
        Rule("last-modified", "H8.8.2.1", .must, "Last-Modified is not later than Date")
    ) { facts in
        guard facts.get.isThere, let changed = seconds(facts.get, "last-modified"),
            let sent = seconds(facts.get, "date"),
            changed > sent
        else { return [] }
        return HTTPRules.at(facts, "it says that it was changed \(changed - sent) s after it was sent")
    }

    /// What is too old is asked for anew.
    static let stale = Check<HTTPFacts>(
        Rule("stale", "H9111.4.2.4", .must, "a cache gives nothing whose Age is above its max-age")
    ) { facts in
        guard facts.get.isThere, let age = facts.get.headers["age"].flatMap({ Int64($0) }),
            let life = CacheControl(facts.get).sharedLife, age > life
        else { return [] }
        return HTTPRules.at(facts, "its Age is \(age) s, it may be kept for \(life) s")
    }

    /// What changes is asked for again before it has changed twice.
    static let live = Check<PlaylistDocument>(
        Rule(
            "live-cache",
            "own",
            .advice,
            "caches are told to keep a live playlist, and for at most half a target duration"
        )
    ) { document in
        guard let http = document.http, http.get.isThere, let media = document.media, media.isLive else { return [] }
        let control = CacheControl(http.get)
        if control.forbids { return [] }
        guard let life = control.sharedLife else {
            return [Violation(document.place(), "nothing says for how long it may be kept")]
        }
        guard life > max(1, Int64(media.targetDuration) / 2) else { return [] }
        let message = "it may be kept for \(life) s, its target duration is \(media.targetDuration) s"
        return [Violation(document.place(), message)]
    }

    /// What is live changes.
    static let lag = Check<PlaylistDocument>(
        Rule(
            "live-lag",
            "A8.24",
            .should,
            "a live playlist was changed within the last three target durations, by its own dates"
        )
    ) { document in
        guard let answer = document.http?.get, answer.isThere, let media = document.media, media.isLive,
            let changed = seconds(answer, "last-modified"), let sent = seconds(answer, "date"),
            case let lag = sent - changed + (answer.headers["age"].flatMap { Int64($0) } ?? 0),
            lag > 3 * Int64(media.targetDuration)
        else { return [] }
        return [
            Violation(document.place(), "it was changed \(lag) s ago, its target duration is \(media.targetDuration) s")
        ]
    }

    /// Low latency is for many requests at once.
    static let secondVersion = Check<PlaylistDocument>(
        Rule("http-2", "BB.1", .must, "playlists and segments of low latency come over HTTP/2 or HTTP/3")
    ) { document in
        guard let version = document.http?.get.version, !version.isEmpty, version.hasPrefix("1"),
            !document.tags("#EXT-X-PART").isEmpty
        else { return [] }
        return [Violation(document.place(), "it has parts, and comes over HTTP/\(version)")]
    }

    /// What goes says when.
    static let expires = Check<MediaSubject>(
        Rule(
            "segment-expires",
            "R6.2.2, B6.2.2",
            .should,
            "segments that a live playlist drops say for how long they are there: Expires or max-age"
        )
    ) { subject in
        guard subject.playlist.isLive, subject.playlist.kind == nil, subject.document.media != nil else { return [] }
        return subject.resources.filter { facts in
            facts.role == .segment && facts.get.isThere && facts.get.headers["expires"] == nil
                && CacheControl(facts.get).sharedLife == nil
        }.flatMap { HTTPRules.at($0, "it says nothing of it") }
    }

    /// What stays may be kept.
    static let vod = Check<MediaSubject>(
        Rule("vod-cache", "own", .advice, "caches may keep the segments of what does not change")
    ) { subject in
        guard subject.playlist.hasEndList, subject.document.media != nil else { return [] }
        return subject.resources.filter { facts in
            let control = CacheControl(facts.get)
            return facts.role == .segment && facts.get.isThere && (control.forbids || control.sharedLife == 0)
        }.flatMap { HTTPRules.at($0, "its Cache-Control is \($0.get.headers["cache-control", default: ""])") }
    }
}

extension MediaPlaylist {
    /// Whether segments will be added.
    fileprivate var isLive: Bool { !hasEndList && kind != .vod && !segments.isEmpty }
}

/// What an answer tells caches.
struct CacheControl {
    /// Whether it is not to be kept at all, or not without asking.
    let forbids: Bool

    /// For how many seconds it may be kept by a cache that many use; nil where nothing says so.
    let sharedLife: Int64?

    init(_ answer: HTTPAnswer) {
        let words = (answer.headers["cache-control"] ?? "").lowercased().split(separator: ",").map { part in
            part.filter { $0 != " " }
        }
        func number(_ name: String) -> Int64? {
            words.first { $0.hasPrefix(name + "=") }.flatMap {
                Int64($0.dropFirst(name.count + 1).filter { $0 != "\"" })
            }
        }
        forbids = words.contains("no-store") || words.contains("no-cache") || words.contains("private")
        let expires = answer.headers["expires"].flatMap { HTTPDate.secondsSince1970($0) }
        let sent = answer.headers["date"].flatMap { HTTPDate.secondsSince1970($0) }
        let untilThen = expires.flatMap { expires in sent.map { max(0, expires - $0) } }
        sharedLife = number("s-maxage") ?? number("max-age") ?? untilThen
    }
}
