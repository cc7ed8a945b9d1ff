internal import SegueBase
internal import SeguePlaylists

/// The variants of a multivariant playlist, and the rule for choosing one.
///
/// Variants with unsupported codecs or video ranges are excluded. The profile determines the first of the others.
/// During playback, a change leads to:
/// - the best variant that the estimate allows with the profile's margin, if it is better and enough is buffered;
/// - the best variant that the estimate allows with that margin, or the lowest, when the estimate falls below the
///   current one;
/// - another variant when the current one failed. The failed one is excluded for a while, or permanently if its media
///   are unusable.
///
/// A bit rate limit of the app takes precedence, unless no variant satisfies it.
struct VariantLadder: Sendable {
    /// The criteria for a variant at one instant.
    struct Criteria {
        /// The measured bandwidth in bits per second, if any.
        let estimate: Double?
        /// The buffer ahead of the playhead.
        let ahead: Duration
        /// True if at least two segments are buffered.
        var isSettled = false
        /// The app's limit, in bits per second; 0 for none.
        let peak: Int
        /// True if a variant is eligible.
        let suits: (Variant) -> Bool
    }

    /// The playable variants, in the order of the playlist.
    private(set) var variants: [Variant]

    /// The pathways in order of preference; empty if all variants are used together.
    ///
    /// Other pathways are used only if none of these has a variant left.
    var pathways: [String] = []

    private var shunned: [String: Instant] = [:]

    let settings: PlatformProfile.Loading
    /// True if scores take precedence over the bit rate, which requires every variant to have one.
    private let heedsScore: Bool

    private var barredUntil: [Int: Instant] = [:]
    private var barredForGood: Set<Int> = []

    init(_ variants: [Variant], _ settings: PlatformProfile.Loading) {
        self.settings = settings
        self.variants = variants.filter { variant in
            // A video range that is unknown cannot be shown (RFC 8216bis, 4.4.6.2).
            variant.codecs.allSatisfy { codec in settings.support.codecs.contains { codec.hasPrefix($0) } }
                && variant.videoRange.map(["SDR", "HLG", "PQ"].contains) ?? true
        }
        heedsScore = settings.adapting.variantScore == .heeded && self.variants.allSatisfy { $0.score != nil }
    }

    /// The highest bit rate, in bits per second.
    var topBitrate: Int? { variants.map(\.bandwidth).max() }

    // MARK: Variants that failed

    /// Excludes a variant: for the profile's time after a temporary failure, or else permanently.
    mutating func bar(_ index: Int, because error: PlaybackError, at now: Instant) {
        // The failure may be that of the pathway's server, which its other variants share.
        if !pathways.isEmpty, [.http, .network].contains(error.domain) {
            shunned[variants[index].pathway] = now + settings.adapting.variantPenalty
        }
        switch error.domain {
        case .http, .network: barredUntil[index] = now + settings.adapting.variantPenalty
        case .playlist where error.code == PlaybackError.PlaylistCode.stuck.rawValue:
            barredUntil[index] = now + settings.adapting.variantPenalty
        case .playlist, .media, .platform, .avFoundation, .coreMedia: barredForGood.insert(index)
        }
    }

    private func isBarred(_ index: Int, at now: Instant) -> Bool {
        barredForGood.contains(index) || barredUntil[index].map { now < $0 } ?? false
    }

    // MARK: Pathways

    mutating func add(_ more: [Variant]) { variants += more }

    /// Returns the variants of the most preferred pathway that has any.
    private func onPathway(_ open: [Int], at now: Instant) -> [Int] {
        guard !pathways.isEmpty else { return open }
        for isShunned in [false, true] {
            for pathway in pathways where (shunned[pathway].map { now < $0 } ?? false) == isShunned {
                let these = open.filter { variants[$0].pathway == pathway }
                if !these.isEmpty { return these }
            }
        }
        return open
    }

    // MARK: The choice

    /// Returns the first variant, given the bandwidth measured before, if any; nil if none is left.
    func first(peak: Int, measured: Double? = nil, at now: Instant) -> Int? {
        let open = onPathway(variants.indices.filter { !isBarred($0, at: now) }, at: now)
        let allowed = VariantLadder.filter(open, of: variants, within: peak)
        switch settings.adapting.firstVariant {
        case .listed: return allowed.first
        case .highest: return highest(allowed)
        case .lowest: return lowest(allowed)
        case .estimated:
            return highest(allowed.filter { variants[$0].bandwidth <= settings.adapting.startingBitrate })
                ?? lowest(allowed)
        case .measured:
            return highest(allowed.filter { Double(variants[$0].bandwidth) < measured ?? 0 }) ?? lowest(allowed)
        }
    }

    /// Returns the variant to continue with: the current one if there is no reason to change, nil if none is left.
    func next(after current: Int, _ criteria: Criteria, at now: Instant) -> Int? {
        let open = onPathway(
            variants.indices.filter { !isBarred($0, at: now) && criteria.suits(variants[$0]) },
            at: now
        )
        let allowed = VariantLadder.filter(open, of: variants, within: criteria.peak)
        // The same variant of another pathway continues when the current pathway is left.
        if !allowed.contains(current), variants[current].pathway != allowed.first.map({ variants[$0].pathway }),
            let same = allowed.first(where: { variants[$0].isTwin(of: variants[current]) })
        {
            return same
        }
        if settings.adapting.switching == .highest { return highest(allowed) }
        let sustained = criteria.estimate.map { estimate in
            allowed.filter { Double(rate($0, criteria)) * settings.adapting.switchUpMargin <= estimate }
        }
        let best = sustained.flatMap(highest) ?? lowest(allowed)
        guard allowed.contains(current) else { return best }
        if settings.adapting.switching == .never { return current }
        guard let best, let estimate = criteria.estimate else { return current }
        let rates = (current: rate(current, criteria), best: rate(best, criteria))
        if Double(rates.current) * settings.adapting.switchDownMargin > estimate, rates.best < rates.current {
            return best
        }
        return isBetter(best, than: current) && criteria.ahead >= settings.adapting.switchUpBuffer ? best : current
    }

    /// Returns the best variant below the current one whose segment would be in time.
    func rescue(
        from current: Int,
        duration: Duration,
        within time: Duration,
        bitsPerSecond: Double,
        suits: (Variant) -> Bool,
        at now: Instant
    ) -> Int? {
        highest(
            onPathway(variants.indices.filter { !isBarred($0, at: now) && suits(variants[$0]) }, at: now).filter {
                index in
                variants[index].bandwidth < variants[current].bandwidth
                    && Double(variants[index].bandwidth) * duration.seconds / bitsPerSecond <= time.seconds
            }
        )
    }

    /// Returns the bit rate of a variant that the estimate must allow.
    ///
    /// A buffer evens out peaks.
    private func rate(_ index: Int, _ criteria: Criteria) -> Int {
        let isAveraged = settings.adapting.variantRate == .average && criteria.isSettled
        return (isAveraged ? variants[index].averageBandwidth : nil) ?? variants[index].bandwidth
    }

    private static func filter(_ indices: [Int], of variants: [Variant], within peak: Int) -> [Int] {
        guard peak > 0 else { return indices }
        let allowed = indices.filter { variants[$0].bandwidth <= peak }
        guard allowed.isEmpty, let least = indices.min(by: { variants[$0].bandwidth < variants[$1].bandwidth }) else {
            return allowed
        }
        return [least]
    }

    /// Returns another variant for media that the current one lacks: the best one with no higher bit rate, or else the
    /// lowest.
    func other(than tried: Set<Int>, below bandwidth: Int, _ criteria: Criteria, at now: Instant) -> Int? {
        let open = variants.indices.filter {
            !isBarred($0, at: now) && !tried.contains($0) && criteria.suits(variants[$0])
        }
        let allowed = VariantLadder.filter(open, of: variants, within: criteria.peak)
        return highest(allowed.filter { variants[$0].bandwidth <= bandwidth }) ?? lowest(allowed)
    }

    private func isBetter(_ one: Int, than other: Int) -> Bool {
        let (score, others) = (score(one), score(other))
        return score == others ? variants[one].bandwidth > variants[other].bandwidth : score > others
    }

    private func score(_ index: Int) -> Rational { heedsScore ? variants[index].score ?? .zero : .zero }

    /// Returns the first variant with the highest bit rate; if scores apply, with the highest score first.
    private func highest(_ indices: [Int]) -> Int? {
        indices.max { (score($0), variants[$0].bandwidth, -$0) < (score($1), variants[$1].bandwidth, -$1) }
    }

    /// Returns the first variant with the lowest bit rate.
    private func lowest(_ indices: [Int]) -> Int? {
        indices.min { (variants[$0].bandwidth, $0) < (variants[$1].bandwidth, $1) }
    }
}

extension Variant {
    var pathway: String { pathwayID ?? "." }

    /// Returns whether another variant is the same on another pathway.
    fileprivate func isTwin(of other: Variant) -> Bool {
        if let stableID, let others = other.stableID { return stableID == others }
        return bandwidth == other.bandwidth && codecs == other.codecs && resolution == other.resolution
    }
}
