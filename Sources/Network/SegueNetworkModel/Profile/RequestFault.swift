package import SegueBase

/// A fault of HTTP requests: its selection of requests, and its effect.
package struct RequestFault: Sendable, Equatable {
    /// The kind of a resource, guessed from its URL.
    package enum Kind: String, Sendable, CaseIterable {
        case playlist
        /// A media segment.
        case segment
        /// An initialization section of fragmented MP4.
        case initialization
        case key
        case subtitles
        case other
    }

    /// The effect of a fault.
    ///
    /// Positions are those of the response body.
    package enum Effect: Sendable, Equatable {
        /// A response with this status and without the server's body.
        case status(Int)
        /// A reset of the connection after this many bytes.
        case reset(after: Int)
        /// A pause of the body after `after` bytes.
        case stall(after: Int, length: Duration)
        /// A close of the connection after this many bytes.
        case truncation(after: Int)
        /// A wrong announced length, by this difference.
        case wrongLength(by: Int)
        /// A delayed close after the last byte, without an announced length.
        case slowClose(Duration)
        /// Corrupt bytes, from this position on.
        case corruption(bytes: Int, after: Int)
        /// A range that begins this much later in the resource than the response says, or earlier.
        case wrongRange(by: Int)
        /// Pieces of this size, with pauses in between.
        case slices(bytes: Int, pause: Duration)
        /// A close of the connection after this many response bytes, including heads.
        case limit(bytes: Int)
        /// A redirect by a captive portal.
        case portal
    }

    /// A pattern for paths with queries: `*` for any characters, `?` for one; nil for all.
    package var url: String?

    /// The kinds of resources; empty for all.
    package var kinds: [Kind]

    /// The first matching request that meets the fault, from 1.
    package var first: Int

    /// The number of requests that meet it; nil for all further ones.
    package var count: Int?

    /// The share of those requests that meet it, by the link's seed, above 0.
    package var share: Double

    package var effect: Effect

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

    /// Returns whether the fault selects a request, regardless of counts.
    package func concerns(url: String, kind: Kind) -> Bool {
        (kinds.isEmpty || kinds.contains(kind)) && self.url.map { Glob.matches($0, Self.target(of: url)) } ?? true
    }

    /// The corrupted form of a byte.
    package static func corrupted(_ byte: UInt8) -> UInt8 { ~byte }

    /// The path and query of a URL; the text itself if it has no host.
    private static func target(of url: String) -> Substring {
        guard let scheme = url.firstRange(of: "://") else { return url[...] }
        let rest = url[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
    }
}

extension RequestFault.Kind {
    /// Guesses the kind of a resource from the file extension of its URL.
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

/// Determines the fault that a request meets, counting earlier requests.
///
/// It does not apply the fault; that is up to the carrier of the request.
package struct FaultPlan: Sendable {
    private var faults: [RequestFault] = []
    private let portals: [Recurrence]
    private var seen: [Int]
    private var random: SeededRandom

    /// Creates a plan without faults.
    ///
    /// - Parameter seed: The seed of faults that meet only a share of requests.
    package init(seed: UInt64) {
        portals = []
        seen = []
        random = SeededRandom(seed: seed)
    }

    /// Adds a fault, which counts requests from now on.
    package mutating func add(_ fault: RequestFault) {
        faults.append(fault)
        seen.append(0)
    }

    /// Creates the plan of a network's faults.
    ///
    /// - Parameters:
    ///   - seed: The seed of faults that meet only a share of requests.
    package init(_ profile: LinkProfile, seed: UInt64) {
        faults = profile.faults
        portals = profile.portals.map { Recurrence($0) }
        seen = Array(repeating: 0, count: faults.count)
        random = SeededRandom(seed: seed)
    }

    /// True if no request can meet a fault, so that requests need not be parsed.
    package var isEmpty: Bool { faults.isEmpty && portals.isEmpty }

    /// Returns the fault that a request meets.
    ///
    /// Every fault counts every request that it selects, including those that meet another fault.
    ///
    /// - Parameters:
    ///   - url: The URL of the request, or its target.
    ///   - kind: The kind of the resource; nil to guess from the URL.
    ///   - now: The time of arrival at the server.
    /// - Returns: The portal's redirect while there is a portal, or the first fault that is due; nil for none.
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

/// Patterns with `*` for any characters and `?` for one.
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
