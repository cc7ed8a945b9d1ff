internal import SegueBase
internal import SeguePlaylists

/// Loads the parts of every 64th segment and the segment itself, and compares them.
struct PartLoads: Sendable {
    /// A segment whose parts are being loaded.
    private struct Loading: Sendable {
        let number: Int
        let map: String?
        var parts: [PartialSegment] = []
        var urls: [String] = []
        /// The loaded parts after a missing one, by index.
        var waiting: [Int: [UInt8]] = [:]
        var facts: [SegmentFacts] = []
        var content = Fingerprint()
        var bytes = 0
        var segment: String?
        var whole: [UInt8]?
    }

    /// The number of segments between two loaded ones.
    private static let interval = 64
    private static let partLimit = 100
    private static let byteLimit = 16 << 20

    private var loading: Loading?
    private var open: Set<String> = []
    /// The media sequence number of the next segment to load; at first, the second one that starts.
    private var due: Int?
    private var initialization: InitializationFacts?

    /// Returns true if a request for a URL is open.
    func awaits(_ url: String) -> Bool { open.contains(url) }

    mutating func forget() { self = PartLoads() }

    /// Returns the requests that are due.
    mutating func requests(_ playlist: MediaPlaylist, _ base: URIReference.Base, at now: Instant) -> [WatchRequest] {
        guard playlist.partTarget != nil, !playlist.hasEndList else {
            drop()
            return []
        }
        let next = playlist.nextSequence
        let due = self.due ?? next + 1
        self.due = due
        var urls: [String] = []
        if loading == nil, next >= due, let segment = playlist.open, !segment.parts.isEmpty {
            // Encrypted segments, and initialization sections in a byte range, are skipped.
            guard segment.keys.isEmpty, segment.map.map({ $0.keys.isEmpty && $0.byteRange == nil }) ?? true else {
                return []
            }
            self.due = next + Self.interval
            let map = segment.map.map { base.resolve($0.uri) }
            loading = Loading(number: next, map: map)
            if let map, map != initialization?.url { urls.append(map) }
        }
        guard let number = loading?.number else { return [] }
        let whole = playlist.segment(number)
        guard number >= next || whole.map(Self.canLoad) ?? false,
            add(PartChanges.parts(of: number, playlist), from: base, to: &urls)
        else {
            drop()
            return []
        }
        if let whole, loading?.segment == nil {
            let url = base.resolve(whole.uri)
            loading?.segment = url
            urls.append(url)
        }
        return urls.filter { $0.hasPrefix("http") && open.insert($0).inserted }.map {
            let patience = Duration.seconds(min(max(2 * playlist.target, 10), 60))
            return WatchRequest(
                method: .get,
                url: $0,
                at: now,
                patience: patience,
                mayBlock: false,
                most: Self.byteLimit
            )
        }
    }

    private static func canLoad(_ segment: MediaSegment) -> Bool {
        segment.keys.isEmpty && segment.byteRange == nil && !segment.isGap && !segment.parts.isEmpty
    }

    /// Adds new parts; returns false if they cannot be loaded.
    private mutating func add(_ parts: [PartialSegment], from base: URIReference.Base, to urls: inout [String]) -> Bool
    {
        guard let known = loading?.parts, parts.count >= known.count, parts.count <= Self.partLimit,
            Array(parts.prefix(known.count)) == known,
            !parts.contains(where: { $0.isGap || $0.byteRange != nil })
        else { return false }
        let new = parts[known.count...].map { base.resolve($0.uri) }
        loading?.parts = parts
        loading?.urls += new
        urls += new
        return true
    }

    private mutating func drop() { (loading, open) = (nil, []) }

    /// Handles a response and returns its breaches.
    mutating func take(_ response: WatchResponse) -> [Breach] {
        guard open.remove(response.url) != nil, var current = loading else { return [] }
        // Another check reports missing parts.
        guard response.isThere, response.status == 200 else {
            drop()
            return []
        }
        current.bytes += response.bytes.count
        guard current.bytes <= 2 * Self.byteLimit else {
            drop()
            return []
        }
        if response.url == current.map {
            initialization = InitializationFacts.inspecting(response.bytes, url: response.url)
        } else if response.url == current.segment {
            current.whole = response.bytes
        } else if let index = current.urls.firstIndex(of: response.url) {
            current.waiting[index] = response.bytes
        }
        let breaches = settle(&current)
        loading = breaches == nil ? current : nil
        return breaches ?? []
    }

    /// Inspects the loaded parts; returns nil if some are still missing.
    private func settle(_ current: inout Loading) -> [Breach]? {
        guard current.map == nil || initialization?.url == current.map else { return nil }
        let known = current.map == nil ? nil : initialization
        while let bytes = current.waiting.removeValue(forKey: current.facts.count) {
            let index = current.facts.count
            let url = current.urls[index]
            current.facts.append(SegmentFacts.inspecting(bytes, number: index, url: url, initialization: known))
            current.content.add(bytes)
        }
        guard let url = current.segment, let whole = current.whole, current.facts.count == current.parts.count else {
            return nil
        }
        var comparison = PartComparison(current.parts, current.facts)
        if Fingerprint.of(whole) != current.content {
            let facts = SegmentFacts.inspecting(whole, number: 0, url: url, initialization: known)
            comparison.compare(with: facts)
        }
        return comparison.breaches(of: current.number)
    }
}
