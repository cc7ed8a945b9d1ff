internal import SegueBase
internal import SeguePlaylists

/// The rules on bit rates: what is announced against what was measured.
enum RateRules {
    static let all: [Check<MultivariantSubject>] = [peak, average, largest, largestAverage, iFrames]

    /// Bits a second.
    struct Rates {
        /// The greatest of a stretch of segments.
        var peak: Double
        /// Those of the whole.
        var mean: Double
    }

    /// The bit rates of what a playlist names; nil where not all of it was looked into.
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

    /// What is wrong with an announcement; nil when nothing is.
    ///
    /// What goes on may turn out lower, and so much higher; what has an end is held to a tenth both ways.
    private static func message(
        _ name: String,
        _ said: Int,
        _ what: String,
        _ found: Double,
        isLive: Bool,
        slack: Double
    ) -> String? {
        let isHigh = found > Double(said) * (isLive ? slack : 1.1)
        guard isHigh || (!isLive && found < Double(said) * 0.9) else { return nil }
        return "\(name) is \(said), \(what) is \(Int64(reckoned: found))"
    }

    private static func each(
        _ subject: MultivariantSubject,
        _ message: (Variant, MediaSubject, Rates) -> String?
    ) -> [Violation] {
        subject.playlist.variants.enumerated().compactMap { number, variant in
            guard let own = subject.subject(variant.uri), let rates = rates(own) else { return nil }
            return message(variant, own, rates).map { Violation(subject.place(ofVariant: number), $0) }
        }
    }

    private static func isLive(_ subject: MediaSubject) -> Bool { !subject.playlist.hasEndList }

    /// The peak is as announced.
    static let peak = Check<MultivariantSubject>(
        Rule("bandwidth-true", "A1.27, A1.29", .must, "the measured peak is within 10 % of BANDWIDTH")
    ) { subject in
        each(subject) { variant, own, rates in
            guard sounds(variant, subject)?.isEmpty == true else { return nil }
            return message(
                "BANDWIDTH",
                variant.bandwidth,
                "the peak",
                rates.peak,
                isLive: isLive(own),
                slack: 1.25
            )
        }
    }

    /// The mean is as announced.
    static let average = Check<MultivariantSubject>(
        Rule("average-true", "A1.26, A1.28", .must, "the measured average is within 10 % of AVERAGE-BANDWIDTH")
    ) { subject in
        each(subject) { variant, own, rates in
            guard sounds(variant, subject)?.isEmpty == true, let said = variant.averageBandwidth else { return nil }
            return message("AVERAGE-BANDWIDTH", said, "the average", rates.mean, isLive: isLive(own), slack: 1.1)
        }
    }

    /// The playlists of the sound that comes beside a variant's own; nil where its group is not there.
    private static func sounds(_ variant: Variant, _ subject: MultivariantSubject) -> [MediaSubject]? {
        guard let group = variant.audioGroup else { return [] }
        let members = subject.playlist.renditions(.audio, inGroup: group)
        guard !members.isEmpty else { return nil }
        return members.filter { $0.uri != variant.uri }.compactMap { subject.subject($0.uri) }
    }

    /// The rate of a variant together with its largest sound; nil where it has none or one was not looked into.
    private static func combined(
        _ variant: Variant,
        _ own: MediaSubject,
        _ subject: MultivariantSubject,
        _ rate: (Rates) -> Double
    ) -> Double? {
        let others = sounds(variant, subject)?.map { rates($0) } ?? []
        guard !others.isEmpty, !others.contains(where: { $0 == nil }), let rates = rates(own) else { return nil }
        let loudest = others.compactMap { $0.map(rate) }.max() ?? 0
        // Of a variant of sound alone one rendition at a time is played.
        let hasPicture = own.segments.contains { $0.tracks.contains { $0.kind == .video } }
        return hasPicture ? rate(rates) + loudest : max(rate(rates), loudest)
    }

    /// The largest combination counts.
    static let largest = Check<MultivariantSubject>(
        Rule(
            "bandwidth-largest",
            "R4.3.4.2, A1.27, A9.13",
            .must,
            "the peak of a variant with its largest sound is within 10 % of BANDWIDTH"
        )
    ) { subject in
        each(subject) { variant, own, _ in
            combined(variant, own, subject, \.peak).flatMap {
                let what = "with its largest sound the peak"
                return message("BANDWIDTH", variant.bandwidth, what, $0, isLive: isLive(own), slack: 1.25)
            }
        }
    }

    /// The largest combination counts on average, too.
    static let largestAverage = Check<MultivariantSubject>(
        Rule(
            "average-largest",
            "R4.3.4.2, A1.26",
            .must,
            "the average of a variant with its largest sound is within 10 % of AVERAGE-BANDWIDTH"
        )
    ) { subject in
        each(subject) { variant, own, _ in
            guard let said = variant.averageBandwidth else { return nil }
            return combined(variant, own, subject, \.mean).flatMap {
                let what = "with its largest sound the average"
                return message("AVERAGE-BANDWIDTH", said, what, $0, isLive: isLive(own), slack: 1.1)
            }
        }
    }

    /// Pictures for searching say what they need, too.
    static let iFrames = Check<MultivariantSubject>(
        Rule("iframe-bandwidth", "A6.9", .must, "the measured peak of I-frames is within 10 % of their BANDWIDTH")
    ) { subject in
        let lines = subject.document.tags("#EXT-X-I-FRAME-STREAM-INF")
        return subject.playlist.iFrameVariants.enumerated().compactMap { number, variant in
            guard let own = subject.iFrames.first(where: { $0.uri == variant.uri })?.subject, let rates = rates(own)
            else { return nil }
            let line = number < lines.count ? lines[number].number : nil
            return message(
                "BANDWIDTH",
                variant.bandwidth,
                "the peak of its pictures",
                rates.peak,
                isLive: isLive(own),
                slack: 1.25
            ).map { Violation(subject.document.place(line: line), $0) }
        }
    }
}
