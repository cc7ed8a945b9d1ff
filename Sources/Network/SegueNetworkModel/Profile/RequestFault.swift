package import SegueBase

/// Something that goes wrong with HTTP requests: which ones it meets, and what becomes of them.
package struct RequestFault: Sendable, Equatable {
    /// What a request is for, as far as its URL tells.
    package enum Kind: String, Sendable, CaseIterable {
        /// An M3U8 playlist.
        case playlist
        /// A piece of media.
        case segment
        /// An initialization section of fragmented MP4.
        case initialization
        /// A key.
        case key
        /// Subtitles.
        case subtitles
        /// Anything else.
        case other
    }

    /// What becomes of a request.
    ///
    /// Bytes are those of the answer's body, from its beginning.
    package enum Effect: Sendable, Equatable {
        /// An answer with this status and no body of the server's.
        case status(Int)
        /// The connection is reset after so many bytes.
        case reset(after: Int)
        /// After so many bytes nothing comes for so long; then it goes on.
        case stall(after: Int, length: Duration)
        /// The connection is closed after so many bytes, as if the body ended there.
        case truncation(after: Int)
        /// The announced length is so much greater than the body, or smaller.
        case wrongLength(by: Int)
        /// The last byte comes, but the connection's end only so much later, and no length is announced.
        case slowClose(Duration)
        /// So many bytes are changed, from this one on.
        case corruption(bytes: Int, after: Int)
        /// A range that was asked for begins so much later in the body than the answer says, or earlier.
        case wrongRange(by: Int)
        /// The body comes in pieces of so many bytes with a pause between.
        case slices(bytes: Int, pause: Duration)
        /// The connection is closed when so many bytes of answers, heads included, have come over it.
        case limit(bytes: Int)
        /// A captive portal answers: a redirect to its page.
        case portal
    }

    /// The paths with queries that it meets: `*` stands for any letters, `?` for one; nil for all.
    package var url: String?

    /// The kinds that it meets; empty for all.
    package var kinds: [Kind]

    /// Which of those requests is the first to be met, from 1.
    package var first: Int

    /// How many are met; nil for all that follow.
    package var count: Int?

    /// The share of those that is met, by the link's seed; above 0, to 1.
    package var share: Double

    /// What becomes of them.
    package var effect: Effect

    /// A fault.
    package init(
        url: String? = nil,
        kinds: [Kind] = [],
        first: Int = 1,
        count: Int? = nil,
        share: Double = 1,
        effect: Effect
    ) {
        self.url = url
        self.kinds = kinds
        self.first = first
        self.count = count
        self.share = share
        self.effect = effect
    }

    /// Whether it is about a request at all, whatever has been counted.
    package func concerns(url: String, kind: Kind) -> Bool {
        (kinds.isEmpty || kinds.contains(kind)) && self.url.map { Glob.matches($0, Self.target(of: url)) } ?? true
    }

    /// What becomes of a byte that ``Effect/corruption(bytes:after:)`` changes.
    package static func corrupted(_ byte: UInt8) -> UInt8 { ~byte }

    /// The path and query of a URL; the text itself where it has no host.
    private static func target(of url: String) -> Substring {
        guard let scheme = url.firstRange(of: "://") else { return url[...] }
        let rest = url[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
    }
}

extension RequestFault.Kind {
    /// What a URL is likely to be for, by the ending of its path.
    ///
    /// - Parameter url: The URL, or its path with or without a query.
    package init(url: String) {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        let parts = name.split(separator: ".")
        switch parts.count > 1 ? parts[parts.count - 1] : "" {
        case "m3u8", "m3u": self = .playlist
        case "key", "bin": self = .key
        case "vtt", "webvtt", "srt", "ttml": self = .subtitles
        case "mp4", "cmfv", "cmfa", "m4v", "m4a", "m4s", "ts", "m2ts", "aac", "ac3", "ec3", "mp3":
            self = name.hasPrefix("init") ? .initialization : .segment
        default: self = .other
        }
    }
}

/// Says which fault a request meets, counting those that came before.
///
/// A pure matcher: what a fault does is the business of who carries the request.
package struct FaultPlan: Sendable {
    private var faults: [RequestFault] = []
    private let portals: [Recurrence]
    private var seen: [Int]
    private var random: SeededRandom

    /// A plan without faults, for those that are added.
    ///
    /// - Parameter seed: The seed of those that meet only a share.
    package init(seed: UInt64) {
        portals = []
        seen = []
        random = SeededRandom(seed: seed)
    }

    /// Adds a fault, which counts the requests from now on.
    package mutating func add(_ fault: RequestFault) {
        faults.append(fault)
        seen.append(0)
    }

    /// The faults of a network.
    ///
    /// - Parameters:
    ///   - profile: The network.
    ///   - seed: The seed of those that meet only a share.
    package init(_ profile: LinkProfile, seed: UInt64) {
        faults = profile.faults
        portals = profile.portals.map { Recurrence($0) }
        seen = Array(repeating: 0, count: faults.count)
        random = SeededRandom(seed: seed)
    }

    /// Whether no request can ever meet a fault, so that nobody needs to look at them.
    package var isEmpty: Bool { faults.isEmpty && portals.isEmpty }

    /// The fault that a request meets.
    ///
    /// Every fault counts every request that it concerns, also those that another one meets.
    ///
    /// - Parameters:
    ///   - url: The request's URL, or its target.
    ///   - kind: What it is for; nil for what the URL tells.
    ///   - now: When it comes to the server.
    /// - Returns: The portal's answer while there is one, else the first fault that is due; nil for none.
    package mutating func effect(url: String, kind: RequestFault.Kind? = nil, at now: Instant) -> RequestFault.Effect? {
        let kind = kind ?? RequestFault.Kind(url: url)
        var found: RequestFault.Effect?
        for (index, fault) in faults.enumerated() where fault.concerns(url: url, kind: kind) {
            seen[index] += 1
            let number = seen[index] - fault.first
            guard number >= 0, fault.count.map({ number < $0 }) ?? true else { continue }
            guard fault.share >= 1 || random.nextUnit() < fault.share else { continue }
            found = found ?? fault.effect
        }
        return portals.contains { $0.state(at: now.nanoseconds).holds } ? .portal : found
    }
}

/// Patterns with `*` for any letters and `?` for one.
enum Glob {
    static func matches(_ pattern: String, _ text: Substring) -> Bool {
        let (pattern, text) = (Array(pattern.utf8), Array(text.utf8))
        let (star, any) = (UInt8(ascii: "*"), UInt8(ascii: "?"))
        var (at, position) = (0, 0)
        var retry: (at: Int, position: Int)?
        while position < text.count {
            if at < pattern.count, pattern[at] == star {
                retry = (at + 1, position)
                at += 1
            } else if at < pattern.count, pattern[at] == any || pattern[at] == text[position] {
                (at, position) = (at + 1, position + 1)
            } else if let last = retry {
                retry = (last.at, last.position + 1)
                (at, position) = (last.at, last.position + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == star }
    }
}
