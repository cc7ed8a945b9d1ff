internal import SegueBase

/// The content of probed segment URLs, for as long as it must stay available.
struct SeenContent: Sendable {
    private struct Content {
        let number: Int
        let size: Int
        let tag: Fingerprint?
        let changed: Fingerprint?
        /// The time until which it must be available; nil while it is listed.
        var until: Instant?
    }

    private var contents: [Fingerprint: Content] = [:]
    /// The removed segments in the order of their deadlines.
    private var gone: [(key: Fingerprint, until: Instant)] = []

    /// Handles the header fields of a segment and returns the breaches.
    mutating func take(_ response: WatchResponse, _ number: Int) -> [Breach] {
        guard let size = Self.size(response) else { return [] }
        let key = Fingerprint.of(response.url)
        let content = Content(
            number: number,
            size: size,
            tag: response.headers["etag"].map(Fingerprint.of),
            changed: response.headers["last-modified"].map(Fingerprint.of)
        )
        defer { contents[key] = content }
        guard let former = contents[key], former.number != number, former.until.map({ response.ended < $0 }) ?? true
        else { return [] }
        // Repeated content may be the same, such as a slate. Servers of one name may send different tags and dates for
        // it.
        let isOther =
            former.size != size
            || Self.differ(former.tag, content.tag) && Self.differ(former.changed, content.changed)
        guard isOther else { return [] }
        let deadline: Message =
            former.until.map { ", which must stay for another \(DisplayText.seconds(($0 - response.ended).seconds))" }
            ?? ", which is still listed"
        let message: Message = "\(value: response.url) is also the URL of segment \(former.number)\(deadline)"
        return [Breach(LiveRules.segmentRepeated, message, segment: number)]
    }

    private static func differ(_ one: Fingerprint?, _ other: Fingerprint?) -> Bool {
        if let one, let other { one != other } else { false }
    }

    /// Returns the size of the whole resource in bytes.
    static func size(_ response: WatchResponse) -> Int? {
        guard response.headers["content-encoding"] == nil else { return nil }
        if response.status == 206 {
            return response.headers["content-range"]?.split(separator: "/").last.flatMap { Int($0) }
        }
        return response.headers["content-length"].flatMap { Int($0) }
    }

    /// Notes that a segment was removed and until when it must be available.
    mutating func remove(_ url: String, _ number: Int, until: Instant, at now: Instant) {
        let old = gone.prefix { $0.until < now }
        for (key, until) in old where contents[key]?.until == until { contents[key] = nil }
        gone.removeFirst(old.count)
        let key = Fingerprint.of(url)
        guard contents[key]?.number == number else { return }
        contents[key]?.until = until
        gone.append((key, until))
    }

    mutating func forget() { self = SeenContent() }
}
