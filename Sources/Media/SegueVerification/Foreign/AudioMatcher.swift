internal import SegueBase

/// Judges if delivered audio matches its source, by the levels so far.
struct AudioMatcher {
    enum Verdict { case alike, unlike, silent }

    /// The mean square below which audio is silent.
    static let quiet = 3e-6

    /// The minimum correlation of matching audio.
    let least: Double
    /// The sums of the levels of matching audio, in the source and delivered.
    private(set) var strength = (source: 0.0, delivered: 0.0)
    /// The recent level of the source.
    private var usual = 0.0

    init(least: Double) { self.least = least }

    /// The mean square below which delivered audio is silent beside the recent source.
    var silence: Double { max(30 * Self.quiet, usual / 64) }

    /// The gain relative to the source, as far as known.
    private var usualGain: Double {
        strength.source > 0 ? min(1, strength.delivered / strength.source) : 0
    }

    /// Notes the level of the source.
    mutating func note(_ likeness: AudioSimilarity) { usual += (likeness.source - usual) / 16 }

    /// Adds the levels of matching audio.
    mutating func add(_ likeness: AudioSimilarity, count: Int) {
        strength.source += likeness.source * Double(count)
        strength.delivered += likeness.delivered * Double(count)
    }

    func judge(_ likeness: AudioSimilarity) -> Verdict {
        let floor = max(Self.quiet, usual / 300)
        if likeness.source < floor { return likeness.delivered < 30 * floor ? .silent : .unlike }
        // The residue that a codec leaves of neighboring audio also correlates.
        guard likeness.delivered > likeness.source * usualGain / 64 else { return .unlike }
        return likeness.correlation >= least ? .alike : .unlike
    }

    /// True if audible source audio is missing in the delivered audio.
    func isMissing(_ likeness: AudioSimilarity) -> Bool {
        likeness.source > max(1e-5, usual / 16) && likeness.delivered < likeness.source / 100
    }
}

/// The short sections in which audio is missing, in delivered samples.
struct MissingAudio {
    private(set) var found: [Range<Int>] = []
    private var open: Range<Int>?

    mutating func extend(by samples: Range<Int>) {
        open = (open?.lowerBound ?? samples.lowerBound)..<samples.upperBound
    }

    mutating func end() {
        if let open { found.append(open) }
        open = nil
    }
}
