internal import SegueBase
internal import SeguePlaylists

/// The variants of a multivariant playlist, and the rule of which one is played.
///
/// Variants whose codecs or whose range of brightness cannot be played are left out. Of the others the profile says which is first. While playing,
/// a variant is changed for
/// - the best one that the measured rate allows by the profile's margin, when that is better and enough is buffered;
/// - the best one that it allows so, or the least of all, as soon as the measured rate is below its own;
/// - another one when it failed, and it is then left alone for a while, or for good when its media are of no use.
///
/// A limit on the bit rate that the app sets comes before all of that, unless no variant keeps to it.
struct VariantLadder: Sendable {
    /// What is asked of a variant at some moment.
    struct Wish {
        /// What the line carries, in bits per second; nil when it was not measured yet.
        let estimate: Double?
        /// How much is buffered.
        let ahead: Duration
        /// Whether that is two segments or more.
        var isSettled = false
        /// The app's limit, in bits per second; 0 for none.
        let peak: Int
        /// Which variants come into question at all.
        let suits: (Variant) -> Bool
    }

    /// The variants that can be played, as listed.
    private(set) var variants: [Variant]

    /// The pathways in the order in which they are wanted; none where all variants are taken together.
    ///
    /// Variants of other pathways are taken where none of these has any that is left.
    var pathways: [String] = []

    private var shunned: [String: Instant] = [:]

    let settings: PlatformProfile.Loading
    /// Whether the author's preference comes before the bit rate: where every variant has one.
    private let heedsScore: Bool

    private var barredUntil: [Int: Instant] = [:]
    private var barredForGood: Set<Int> = []

    init(_ variants: [Variant], _ settings: PlatformProfile.Loading) {
        self.settings = settings
        self.variants = variants.filter { variant in
            // What a range is that is not known, nobody can show (RFC 8216bis, 4.4.6.2).
            variant.codecs.allSatisfy { codec in settings.support.codecs.contains { codec.hasPrefix($0) } }
                && variant.videoRange.map(["SDR", "HLG", "PQ"].contains) ?? true
        }
        heedsScore = settings.adapting.variantScore == .heeded && self.variants.allSatisfy { $0.score != nil }
    }

    /// The highest bit rate, in bits per second.
    var topBitrate: Int? { variants.map(\.bandwidth).max() }

    // MARK: Variants that failed

    /// Leaves a variant alone: for the profile's time after a failure that may pass, else for good.
    mutating func bar(_ index: Int, because error: PlaybackError, at now: Instant) {
        // What failed may be the pathway's server, which the others of it are on, too.
        if !pathways.isEmpty, [.http, .network].contains(error.domain) {
            shunned[variants[index].pathway] = now + settings.adapting.variantPenalty
        }
        switch error.domain {
        case .http, .network: barredUntil[index] = now + settings.adapting.variantPenalty
        case .playlist where error.code == PlaybackError.PlaylistCode.stuck.rawValue:
            barredUntil[index] = now + settings.adapting.variantPenalty
        case .playlist, .media, .platform: barredForGood.insert(index)
        }
    }

    private func isBarred(_ index: Int, at now: Instant) -> Bool {
        barredForGood.contains(index) || barredUntil[index].map { now < $0 } ?? false
    }

    // MARK: Pathways

    /// Takes in further variants.
    mutating func add(_ more: [Variant]) { variants += more }

    /// Those of some variants that are on the pathway which is wanted most of those that have any.
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

    /// The variant to begin with, where so many bits per second were measured before it, nil for none; nil when none is left.
    func first(peak: Int, measured: Double? = nil, at now: Instant) -> Int? {
        let open = onPathway(variants.indices.filter { !isBarred($0, at: now) }, at: now)
        let allowed = VariantLadder.within(peak, open, variants)
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

    /// The variant to go on with; the present one when there is no reason to change, nil when none is left.
    func next(after current: Int, _ wish: Wish, at now: Instant) -> Int? {
        let open = onPathway(
            variants.indices.filter { !isBarred($0, at: now) && wish.suits(variants[$0]) },
            at: now
        )
        let allowed = VariantLadder.within(wish.peak, open, variants)
        // The same variant on another pathway goes on where the present one is left for that.
        if !allowed.contains(current), variants[current].pathway != allowed.first.map({ variants[$0].pathway }),
            let same = allowed.first(where: { variants[$0].isTwin(of: variants[current]) })
        {
            return same
        }
        if settings.adapting.switching == .highest { return highest(allowed) }
        let sustained = wish.estimate.map { estimate in
            allowed.filter { Double(rate($0, wish)) * settings.adapting.switchUpMargin <= estimate }
        }
        let best = sustained.flatMap(highest) ?? lowest(allowed)
        guard allowed.contains(current) else { return best }
        if settings.adapting.switching == .never { return current }
        guard let best, let estimate = wish.estimate else { return current }
        let rates = (current: rate(current, wish), best: rate(best, wish))
        if Double(rates.current) * settings.adapting.switchDownMargin > estimate, rates.best < rates.current {
            return best
        }
        return isBetter(best, than: current) && wish.ahead >= settings.adapting.switchUpBuffer ? best : current
    }

    /// The best variant below the present one whose segment would come in a time; nil when none would.
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

    /// What a variant takes of the line, in bits per second: a buffer of some length evens peaks out.
    private func rate(_ index: Int, _ wish: Wish) -> Int {
        let isAveraged = settings.adapting.variantRate == .average && wish.isSettled
        return (isAveraged ? variants[index].averageBandwidth : nil) ?? variants[index].bandwidth
    }

    private static func within(_ peak: Int, _ indices: [Int], _ variants: [Variant]) -> [Int] {
        guard peak > 0 else { return indices }
        let allowed = indices.filter { variants[$0].bandwidth <= peak }
        guard allowed.isEmpty, let least = indices.min(by: { variants[$0].bandwidth < variants[$1].bandwidth }) else {
            return allowed
        }
        return [least]
    }

    /// Another variant to take what the present one has not: the best that takes no more, else the least of all.
    func other(than tried: Set<Int>, below bandwidth: Int, _ wish: Wish, at now: Instant) -> Int? {
        let open = variants.indices.filter { !isBarred($0, at: now) && !tried.contains($0) && wish.suits(variants[$0]) }
        let allowed = VariantLadder.within(wish.peak, open, variants)
        return highest(allowed.filter { variants[$0].bandwidth <= bandwidth }) ?? lowest(allowed)
    }

    private func isBetter(_ one: Int, than other: Int) -> Bool {
        let (score, others) = (score(one), score(other))
        return score == others ? variants[one].bandwidth > variants[other].bandwidth : score > others
    }

    private func score(_ index: Int) -> Rational { heedsScore ? variants[index].score ?? .zero : .zero }

    /// The first listed of the highest bit rate; where scores are heeded, of the highest score first.
    private func highest(_ indices: [Int]) -> Int? {
        indices.max { (score($0), variants[$0].bandwidth, -$0) < (score($1), variants[$1].bandwidth, -$1) }
    }

    /// The first listed of the lowest bit rate.
    private func lowest(_ indices: [Int]) -> Int? {
        indices.min { (variants[$0].bandwidth, $0) < (variants[$1].bandwidth, $1) }
    }
}

extension Variant {
    /// The pathway that it belongs to.
    var pathway: String { pathwayID ?? "." }

    /// Whether another one is the same on another pathway.
    fileprivate func isTwin(of other: Variant) -> Bool {
        if let stableID, let others = other.stableID { return stableID == others }
        return bandwidth == other.bandwidth && codecs == other.codecs && resolution == other.resolution
    }
}
