internal import SegueBase
internal import SeguePlaylists

/// The rules that compare stated bit rates with measured ones.
enum RateRules {
    static let all: [Check<MultivariantSubject>] = [peak, average, largest, largestAverage, iFrames]

    /// Measured bit rates in bit/s.
    struct Rates {
        /// The maximum over contiguous segments.
        var peak: Double
        /// The average of the playlist.
        var mean: Double
    }

    /// The bit rates of a playlist; nil if not all of its segments were inspected.
    static func rates(_ subject: MediaSubject?) -> Rates? {
        guard let subject, subject.segments.count == subject.playlist.segments.count, !subject.segments.isEmpty,
            subject.segments.allSatisfy({ $0.failure == nil })
        else { return nil }
        let sizes = subject.entries.map { (bits: Double($0.facts.size * 8), seconds: $0.entry.duration.seconds) }
        let target = Double(subject.playlist.targetDuration)
        // RFC 8216, 4.1: the peak is over contiguous segments of 0.5 to 1.5 target durations.
        var peak = 0.0
        for first in sizes.indices {
            var (bits, seconds) = (0.0, 0.0)
            for next in sizes[first...] {
                (bits, seconds) = (bits + next.bits, seconds + next.seconds)
                guard seconds <= 1.5 * target else { break }
                if seconds > 0, seconds >= 0.5 * target { peak = max(peak, bits / seconds) }
            }
        }
        let (bits, seconds) = sizes.reduce((0.0, 0.0)) { ($0.0 + $1.bits, $0.1 + $1.seconds) }
        guard seconds > 0 else { return nil }
        return Rates(peak: peak > 0 ? peak : bits / seconds, mean: bits / seconds)
    }

    /// A stated bit rate.
    private struct Stated {
        /// The attribute that states it.
        let attribute: String
        /// The bit rate in bit/s.
        let rate: Int
        /// The maximum ratio of the measured rate of a live stream to the stated rate, in percent above 100.
        let liveTolerance: Int

        static func peak(_ rate: Int) -> Stated { Stated(attribute: "BANDWIDTH", rate: rate, liveTolerance: 25) }

        static func average(_ rate: Int) -> Stated {
            Stated(attribute: "AVERAGE-BANDWIDTH", rate: rate, liveTolerance: 10)
        }

        /// Compares a measured rate with the stated one; nil if it is within the tolerance.
        ///
        /// A live stream may have a lower rate so far. A finished one must be within 10 % both ways.
        func comparison(with measured: Double, _ subject: Message, of media: MediaSubject) -> Comparison? {
            let isLive = !media.playlist.hasEndList
            let tolerance = isLive ? liveTolerance : 10
            let isHigh = measured > Double(rate) * (1 + Double(tolerance) / 100)
            guard isHigh || (!isLive && measured < Double(rate) * 0.9) else { return nil }
            return Comparison(
                "\(subject) is",
                measured,
                expected: .within(Double(rate), percent: tolerance),
                unit: .bitsPerSecond,
                origin: "by \(attribute)"
            )
        }
    }

    private static func each(
        _ subject: MultivariantSubject,
        _ comparison: (Variant, MediaSubject, Rates) -> Comparison?
    ) -> [Violation] {
        subject.playlist.variants.enumerated().compactMap { number, variant in
            guard let own = subject.subject(variant.uri), let rates = rates(own) else { return nil }
            return comparison(variant, own, rates).map { Violation(subject.place(ofVariant: number), $0) }
        }
    }

    static let peak = Check<MultivariantSubject>(
        Rule(
            "bandwidth-true",
            in: .multivariant,
            clauses: "A1.27, A1.29",
            .must,
            requires: "the measured peak bit rate is within 10 % of BANDWIDTH",
            fix: "write the measured peak as BANDWIDTH; FFmpeg: set -b:v and -maxrate, from which it computes BANDWIDTH"
        )
    ) { subject in
        each(subject) { variant, own, rates in
            guard audio(variant, subject)?.isEmpty == true else { return nil }
            return Stated.peak(variant.bandwidth).comparison(with: rates.peak, "the peak bit rate", of: own)
        }
    }

    static let average = Check<MultivariantSubject>(
        Rule(
            "average-true",
            in: .multivariant,
            clauses: "A1.26, A1.28",
            .must,
            requires: "the measured average bit rate is within 10 % of AVERAGE-BANDWIDTH",
            fix: "write the measured average as AVERAGE-BANDWIDTH"
        )
    ) { subject in
        each(subject) { variant, own, rates in
            guard audio(variant, subject)?.isEmpty == true, let said = variant.averageBandwidth else { return nil }
            return Stated.average(said).comparison(with: rates.mean, "the average bit rate", of: own)
        }
    }

    /// The separate audio playlists of a variant; nil if its audio group does not exist.
    private static func audio(_ variant: Variant, _ subject: MultivariantSubject) -> [MediaSubject]? {
        guard let group = variant.audioGroup else { return [] }
        let members = subject.playlist.renditions(.audio, inGroup: group)
        guard !members.isEmpty else { return nil }
        return members.filter { $0.uri != variant.uri }.compactMap { subject.subject($0.uri) }
    }

    /// The rate of a variant with its largest audio; nil if it has none or not all of it was inspected.
    private static func combined(
        _ variant: Variant,
        _ own: MediaSubject,
        in subject: MultivariantSubject,
        by rate: (Rates) -> Double
    ) -> Double? {
        let others = audio(variant, subject)?.map { rates($0) } ?? []
        guard !others.isEmpty, !others.contains(where: { $0 == nil }), let rates = rates(own) else { return nil }
        let largest = others.compactMap { $0.map(rate) }.max() ?? 0
        // An audio-only variant plays one rendition at a time.
        let hasVideo = own.segments.contains { $0.tracks.contains { $0.kind == .video } }
        return hasVideo ? rate(rates) + largest : max(rate(rates), largest)
    }

    static let largest = Check<MultivariantSubject>(
        Rule(
            "bandwidth-largest",
            in: .multivariant,
            clauses: "R4.3.4.2, A1.27, A9.13",
            .must,
            requires: "the peak bit rate of a variant with its largest audio is within 10 % of BANDWIDTH",
            fix:
                "write the peak of the largest combination as BANDWIDTH; FFmpeg: set -b:v and -maxrate, from which it computes BANDWIDTH"
        )
    ) { subject in
        each(subject) { variant, own, _ in
            combined(variant, own, in: subject, by: \.peak).flatMap {
                Stated.peak(variant.bandwidth).comparison(with: $0, "the peak bit rate with the largest audio", of: own)
            }
        }
    }

    static let largestAverage = Check<MultivariantSubject>(
        Rule(
            "average-largest",
            in: .multivariant,
            clauses: "R4.3.4.2, A1.26",
            .must,
            requires: "the average bit rate of a variant with its largest audio is within 10 % of AVERAGE-BANDWIDTH",
            fix: "write the average of the largest combination as AVERAGE-BANDWIDTH"
        )
    ) { subject in
        each(subject) { variant, own, _ in
            guard let said = variant.averageBandwidth else { return nil }
            return combined(variant, own, in: subject, by: \.mean).flatMap {
                Stated.average(said).comparison(with: $0, "the average bit rate with the largest audio", of: own)
            }
        }
    }

    static let iFrames = Check<MultivariantSubject>(
        Rule(
            "iframe-bandwidth",
            in: .multivariant,
            clauses: "A6.9",
            .must,
            requires: "the measured peak bit rate of I-frames is within 10 % of their BANDWIDTH",
            fix: "write the measured peak as BANDWIDTH"
        )
    ) { subject in
        let lines = subject.document.tags("#EXT-X-I-FRAME-STREAM-INF")
        return subject.playlist.iFrameVariants.enumerated().compactMap { number, variant in
            guard let own = subject.iFrames.first(where: { $0.uri == variant.uri })?.subject, let rates = rates(own)
            else { return nil }
            let line = number < lines.count ? lines[number].number : nil
            return Stated.peak(variant.bandwidth)
                .comparison(with: rates.peak, "the peak bit rate of the I-frames", of: own)
                .map { Violation(subject.document.place(line: line), $0) }
        }
    }
}
