internal import SegueBase

/// What stood under the URLs of segments that were looked for, for as long as it has to stay.
struct SeenContent: Sendable {
    private struct Content {
        let number: Int
        let size: Int
        let tag: Fingerprint?
        let changed: Fingerprint?
        /// When it may be gone; nil while it is listed.
        var until: Instant?
    }

    private var contents: [Fingerprint: Content] = [:]
    /// Those that are listed no longer, in the order in which they may be gone.
    private var gone: [(key: Fingerprint, until: Instant)] = []

    /// Takes what the head of an answer says of a segment; what it breaks.
    mutating func take(_ answer: WatchAnswer, _ number: Int) -> [Breach] {
        guard let size = Self.size(answer) else { return [] }
        let key = Fingerprint.of(answer.url)
        let content = Content(
            number: number,
            size: size,
            tag: answer.headers["etag"].map(Fingerprint.of),
            changed: answer.headers["last-modified"].map(Fingerprint.of)
        )
        defer { contents[key] = content }
        guard let former = contents[key], former.number != number, former.until.map({ answer.ended < $0 }) ?? true
        else { return [] }
        // What comes again may be the same: a pause, or a film that begins anew. Servers of one name may give it different
        // tags, and different dates.
        let isOther =
            former.size != size
            || Self.differ(former.tag, content.tag) && Self.differ(former.changed, content.changed)
        guard isOther else { return [] }
        let until = former.until.map { ", which may be had for \(words(($0 - answer.ended).seconds)) yet" } ?? ", too"
        let text = "\(answer.url) was that of segment \(former.number)\(until)"
        return [Breach(LiveRules.segmentRepeated, text, segment: number)]
    }

    private static func differ(_ one: Fingerprint?, _ other: Fingerprint?) -> Bool {
        if let one, let other { one != other } else { false }
    }

    /// The size of the whole in bytes.
    static func size(_ answer: WatchAnswer) -> Int? {
        guard answer.headers["content-encoding"] == nil else { return nil }
        if answer.status == 206 {
            return answer.headers["content-range"]?.split(separator: "/").last.flatMap { Int($0) }
        }
        return answer.headers["content-length"].flatMap { Int($0) }
    }

    /// A segment is listed no longer, and may be gone by then.
    mutating func remove(_ url: String, _ number: Int, until: Instant, at now: Instant) {
        let old = gone.prefix { $0.until < now }
        for (key, until) in old where contents[key]?.until == until { contents[key] = nil }
        gone.removeFirst(old.count)
        let key = Fingerprint.of(url)
        guard contents[key]?.number == number else { return }
        contents[key]?.until = until
        gone.append((key, until))
    }

    /// The playlist begins anew.
    mutating func forget() { self = SeenContent() }
}
