internal import HLS
internal import Timeline

/// The variants of a multivariant playlist, and the rule of which one is played.
///
/// Variants whose codecs cannot be played are left out. Of the others the profile says which is first. While playing,
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
        /// The app's limit, in bits per second; 0 for none.
        let peak: Int
        /// Which variants come into question at all.
        let suits: (Variant) -> Bool
    }

    /// The variants that can be played, as listed.
    let variants: [Variant]

    let settings: PlatformProfile.Loading
    private var barredUntil: [Int: Instant] = [:]
    private var barredForGood: Set<Int> = []

    init(_ variants: [Variant], _ settings: PlatformProfile.Loading) {
        self.settings = settings
        self.variants = variants.filter { variant in
            variant.codecs.allSatisfy { codec in settings.codecs.contains { codec.hasPrefix($0) } }
        }
    }

    /// The highest bit rate, in bits per second.
    var topBitrate: Int? { variants.map(\.bandwidth).max() }

    // MARK: Variants that failed

    /// Leaves a variant alone: for the profile's time after a failure that may pass, else for good.
    mutating func bar(_ index: Int, because error: PlaybackError, at now: Instant) {
        switch error.domain {
        case .http, .network: barredUntil[index] = now + settings.variantPenalty
        case .playlist where error.code == PlaybackError.PlaylistCode.stuck.rawValue:
            barredUntil[index] = now + settings.variantPenalty
        case .playlist, .media, .platform: barredForGood.insert(index)
        }
    }

    private func isBarred(_ index: Int, at now: Instant) -> Bool {
        barredForGood.contains(index) || barredUntil[index].map { now < $0 } ?? false
    }

    // MARK: The choice

    /// The variant to begin with; nil when none is left.
    func first(peak: Int, at now: Instant) -> Int? {
        let open = variants.indices.filter { !isBarred($0, at: now) }
        let allowed = VariantLadder.within(peak, open, variants)
        switch settings.firstVariant {
        case .listed: return allowed.first
        case .highest: return highest(allowed)
        case .lowest: return lowest(allowed)
        case .estimated:
            return highest(allowed.filter { variants[$0].bandwidth <= settings.startingBitrate }) ?? lowest(allowed)
        }
    }

    /// The variant to go on with; the present one when there is no reason to change, nil when none is left.
    func next(after current: Int, _ wish: Wish, at now: Instant) -> Int? {
        let open = variants.indices.filter { !isBarred($0, at: now) && wish.suits(variants[$0]) }
        let allowed = VariantLadder.within(wish.peak, open, variants)
        let sustained = wish.estimate.map { estimate in
            allowed.filter { Double(variants[$0].bandwidth) * settings.switchUpMargin <= estimate }
        }
        let best = sustained.flatMap(highest) ?? lowest(allowed)
        guard allowed.contains(current) else { return best }
        guard let best, let estimate = wish.estimate else { return current }
        let rates = (current: variants[current].bandwidth, best: variants[best].bandwidth)
        if rates.best > rates.current { return wish.ahead >= settings.switchUpBuffer ? best : current }
        return Double(rates.current) > estimate && rates.best < rates.current ? best : current
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
            variants.indices.filter { index in
                !isBarred(index, at: now) && suits(variants[index])
                    && variants[index].bandwidth < variants[current].bandwidth
                    && Double(variants[index].bandwidth) * duration.seconds / bitsPerSecond <= time.seconds
            }
        )
    }

    private static func within(_ peak: Int, _ indices: [Int], _ variants: [Variant]) -> [Int] {
        guard peak > 0 else { return indices }
        let allowed = indices.filter { variants[$0].bandwidth <= peak }
        guard allowed.isEmpty, let least = indices.min(by: { variants[$0].bandwidth < variants[$1].bandwidth }) else {
            return allowed
        }
        return [least]
    }

    /// The first listed of the highest bit rate.
    private func highest(_ indices: [Int]) -> Int? {
        indices.max { (variants[$0].bandwidth, -$0) < (variants[$1].bandwidth, -$1) }
    }

    /// The first listed of the lowest bit rate.
    private func lowest(_ indices: [Int]) -> Int? {
        indices.min { (variants[$0].bandwidth, $0) < (variants[$1].bandwidth, $1) }
    }
}
