extension PlatformProfile {
    /// The bandwidth estimate, and the choice of variants.
    package final class Adapting: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "first-variant",
            .word,
            meaning:
                "The variant of a multivariant playlist that is tried first. Another is tried if it cannot be loaded."
        )
        package var firstVariant: FirstVariant

        @ProfileField(
            "starting-bitrate",
            .integer(in: 1...1_000_000_000),
            meaning: "The assumed bandwidth of the network before any measurement, in bits per second."
        )
        package var startingBitrate: Int

        @ProfileField("switching", .word, meaning: "The basis for switching variants.")
        package var switching: Switching

        @ProfileField(
            "switch-up-margin",
            .positiveNumber,
            meaning: "The minimum ratio of the estimate to the bit rate of a higher variant to switch to it."
        )
        package var switchUpMargin: Double

        @ProfileField("switch-up-buffer", .duration, meaning: "The minimum buffer to switch to a higher variant.")
        package var switchUpBuffer: Duration

        @ProfileField(
            "switch-down-margin",
            .positiveNumber,
            meaning: "The minimum ratio of the estimate to the bit rate of the current variant to keep it."
        )
        package var switchDownMargin: Double

        @ProfileField("estimate", .word, meaning: "The bandwidth estimate.")
        package var estimate: Estimate

        @ProfileField(
            "estimate-fast",
            .duration,
            meaning: "The time spent loading that the faster average covers, with `estimate: lower-of-two`."
        )
        package var estimateFast: Duration

        @ProfileField("estimate-slow", .duration, meaning: "The time spent loading that the slower average covers.")
        package var estimateSlow: Duration

        @ProfileField(
            "switch-waits-for-playlist",
            .flag,
            meaning: "No segments of the previous variant are requested while the playlist of a higher one loads."
        )
        package var switchWaitsForPlaylist: Bool

        @ProfileField(
            "rescues-late-segments",
            .flag,
            meaning: "A segment that will be late is canceled if the segment of a lower variant would be in time."
        )
        package var rescuesLateSegments: Bool

        @ProfileField("variant-penalty", .duration, meaning: "The time for which a variant that failed is not used.")
        package var variantPenalty: Duration

        @ProfileField("variant-rate", .word, meaning: "The bit rate of a variant that is compared with the estimate.")
        package var variantRate: VariantRate

        @ProfileField("variant-score", .word, meaning: "The handling of authors' preferences for variants (`SCORE`).")
        package var variantScore: VariantScore

        package init() {}
    }

    /// The variant that is tried first.
    package enum FirstVariant: String, FieldChoice {
        case listed
        case highest
        case lowest
        case estimated
        case measured

        package var meaning: String {
            switch self {
            case .listed: "The first variant in the playlist."
            case .highest: "The variant with the highest bandwidth."
            case .lowest: "The variant with the lowest bandwidth."
            case .estimated: "The variant with the highest bandwidth that `starting-bitrate` allows."
            case .measured:
                """
                The variant with the highest bandwidth below that measured with the audio before it, or the lowest \
                without a measurement.
                """
            }
        }
    }

    /// The basis for switching variants.
    package enum Switching: String, FieldChoice {
        case estimate
        case never
        case highest

        package var meaning: String {
            switch self {
            case .estimate: "The bandwidth estimate."
            case .never: "The first variant is kept as long as it can be loaded."
            case .highest: "The highest variant is used after the first segment, regardless of bandwidth."
            }
        }
    }

    /// A method to estimate bandwidth.
    package enum Estimate: String, FieldChoice {
        case lowerOfTwo = "lower-of-two"
        case lowerOfTwoBySegment = "lower-of-two-by-segment"
        case lastAndMeanOfThree = "last-and-mean-of-three"
        case last

        package var meaning: String {
            switch self {
            case .lowerOfTwo: "The lower of two moving averages over time spent loading."
            case .lowerOfTwoBySegment:
                """
                The lower of two moving averages over segments, which start at 0 and weight the rate of each segment, \
                with its latency, by 1/5 and 4/5.
                """
            case .lastAndMeanOfThree:
                "The lower of the rate of the last segment and the mean of the last three, of the variant's own media."
            case .last: "The rate of the last segment of any rendition, with its latency."
            }
        }
    }

    /// The bit rate of a variant that is compared with the estimate.
    package enum VariantRate: String, FieldChoice {
        case peak
        case average

        package var meaning: String {
            switch self {
            case .peak: "`BANDWIDTH`."
            case .average: "`AVERAGE-BANDWIDTH`, if it is present and two segments are buffered."
            }
        }
    }

    /// The handling of authors' preferences for variants.
    package enum VariantScore: String, FieldChoice {
        case heeded
        case ignored

        package var meaning: String {
            switch self {
            case .heeded: "If all variants have a score, the highest score takes precedence over the bit rate."
            case .ignored: "Scores have no effect."
            }
        }
    }
}
