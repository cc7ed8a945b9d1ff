internal import SegueBase

/// Compares the loudness of the renditions of one stream, by samples of the same content.
struct LoudnessComparison: Sendable {
    /// The loudness of a sample in LUFS.
    struct Level: Sendable {
        let number: Int
        /// The date of the segment in seconds since 1970; nil if the playlist has no dates.
        let date: Double?
        let loudness: Double
    }

    /// Choice: listeners reach for the volume control at a difference of 6 dB.
    private static let limit = 6.0
    /// Choice: a single pair may have different content in spite of its dates.
    private static let leastPairs = 3
    /// The number of remembered samples of a playlist.
    private static let memory = 12
    /// The greatest distance of the dates of the same content, in seconds.
    private static let sameDate = 0.5

    /// The loudness in LUFS below which there is only noise, which codecs change.
    private static let quietLimit = -45.0

    private var levels: [String: [Level]] = [:]
    private var apart: Set<String> = []

    /// The URLs of the renditions that are apart from the others.
    var broken: Set<String> { apart }

    /// Forgets the renditions that are no longer watched.
    mutating func keep(_ urls: Set<String>) {
        levels = levels.filter { urls.contains($0.key) }
        apart.formIntersection(urls)
    }

    /// Handles the loudness of a sample; returns the breach when its rendition begins to differ from most others.
    mutating func take(_ level: Level, of url: String) -> [Breach] {
        levels[url] = (levels[url] ?? []).suffix(Self.memory - 1) + [level]
        let others = levels.filter { $0.key != url }.sorted { $0.key < $1.key }
        let differences = others.compactMap { other in difference(of: url, to: other.key).map { (other.key, $0) } }
        let different = differences.filter { abs($0.1) > Self.limit }
        // Of two, the one that comes later in the alphabet is named, so that it is reported once.
        let isApart =
            different.count * 2 > differences.count
            && (differences.count > 1 || different.first.map { $0.0 < url } ?? false)
        guard isApart, let first = different.first else {
            if !differences.isEmpty { apart.remove(url) }
            return []
        }
        guard apart.insert(url).inserted else { return [] }
        let comparison = Comparison(
            "the loudness differs from that of \(value: first.0) by",
            first.1,
            expected: .atMost(Self.limit),
            unit: .loudness
        )
        return [Breach(SampleRules.loudness, comparison, segment: level.number)]
    }

    /// The smallest difference of the last pairs of samples in dB; nil if there are too few, or if they disagree.
    private func difference(of url: String, to other: String) -> Double? {
        let pairs = (levels[url] ?? []).compactMap { own in
            (levels[other] ?? []).last { Self.isSame(own, $0) }.flatMap { Self.difference(own, $0) }
        }.suffix(Self.leastPairs)
        guard pairs.count == Self.leastPairs, let least = pairs.min(by: { abs($0) < abs($1) }) else { return nil }
        return pairs.allSatisfy { $0 * least >= 0 } ? least : 0
    }

    private static func difference(_ own: Level, _ other: Level) -> Double? {
        max(own.loudness, other.loudness) < quietLimit ? nil : own.loudness - other.loudness
    }

    private static func isSame(_ one: Level, _ other: Level) -> Bool {
        guard let first = one.date, let second = other.date else { return one.number == other.number }
        return abs(first - second) <= sameDate
    }
}
