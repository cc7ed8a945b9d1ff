internal import SegueData

extension PlatformProfile {
    /// How the line is estimated, and when another variant is changed to.
    package struct Adapting: Sendable, Equatable {
        /// By what variants are changed.
        package let switching: Switching
        /// How many times its own bit rate must have been measured for the present variant to be kept.
        package let switchDownMargin: Double
        /// How what the line carries is reckoned.
        package let estimate: Estimate
        /// How many seconds of loading the quicker of two averages over time remembers.
        package let estimateFast: Duration
        /// How many seconds of loading the slower one remembers.
        package let estimateSlow: Duration
        /// Whether no segment of the former variant is asked for while the playlist of a higher one loads.
        package let switchWaitsForPlaylist: Bool
        /// Whether a segment that will come too late is given up where a lower variant's would come in time.
        package let rescuesLateSegments: Bool
    }

    /// By what variants are changed.
    package enum Switching: String, Sendable, CaseIterable {
        /// By the estimate.
        case estimate
        /// The first variant is kept as long as it can be loaded.
        case never
        /// After the first segment the one of the highest bit rate, whatever the line carries.
        case highest
    }

    /// How what the line carries is reckoned.
    package enum Estimate: String, Sendable, CaseIterable {
        /// The lower of two averages over the time of loading.
        case lowerOfTwo = "lower-of-two"
        /// The lower of two averages over segments that begin at 0: each takes a fifth, or four fifths, of a segment's
        /// rate, and the rest of what it was.
        case lowerOfTwoBySegment = "lower-of-two-by-segment"
        /// The lower of the last segment's rate and the mean of the last three, of the variant's own media.
        case lastAndMeanOfThree = "last-and-mean-of-three"
        /// The last segment's rate, of whatever rendition.
        case last
    }
}

extension PlatformProfile.Adapting {
    static let keys = [
        "switching", "switch-down-margin", "estimate", "estimate-fast", "estimate-slow", "switch-waits-for-playlist",
        "rescues-late-segments",
    ]

    init(_ section: inout SourcedFields) throws(HarnessError) {
        switching = try section.word("switching")
        switchDownMargin = try section.factor("switch-down-margin")
        estimate = try section.word("estimate")
        estimateFast = try section.duration("estimate-fast")
        estimateSlow = try section.duration("estimate-slow")
        switchWaitsForPlaylist = try section.flag("switch-waits-for-playlist")
        rescuesLateSegments = try section.flag("rescues-late-segments")
    }
}
