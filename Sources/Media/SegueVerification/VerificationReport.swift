/// The comparison of a delivery with a direct decode of the source.
package struct VerificationReport: Sendable, Equatable {
    package struct Difference: Sendable, Equatable {
        package var rule: Rule
        /// A one-line message.
        package var message: String
        /// The position in seconds from the plan's start, if there is one.
        package var seconds: Double?
    }

    /// The rules for content.
    package enum Rule: String, Sendable, CaseIterable {
        /// Source audio is missing.
        case soundMissing = "content.sound-missing"
        /// Source audio is repeated.
        case soundRepeated = "content.sound-repeated"
        /// There is audio that the source does not have.
        case soundInserted = "content.sound-inserted"
        /// There is a silence or a dip that the source does not have.
        case soundSilent = "content.sound-silent"
        /// Copied samples differ from the source's, or transcoded ones do not resemble them.
        case soundAltered = "content.sound-altered"
        /// Audio is out of order.
        case soundReordered = "content.sound-reordered"
        /// All audio is earlier or later than in the source.
        case soundShifted = "content.sound-shifted"
        /// Audio timestamps do not match the source's.
        case soundTime = "content.sound-time"
        /// The error at segment boundaries exceeds that inside segments.
        case borderError = "content.border-error"
        /// Source frames are missing.
        case picturesMissing = "content.pictures-missing"
        /// Frames are repeated or not from the source.
        case picturesExtra = "content.pictures-extra"
        /// Frames are out of order.
        case picturesReordered = "content.pictures-reordered"
        /// Copied frames differ from the source's, or transcoded ones do not resemble them.
        case picturesAltered = "content.pictures-altered"
        /// A frame has a different presentation time than in the source.
        case pictureTime = "content.picture-time"
        /// Audio and video are out of sync compared with the source.
        case avOffset = "content.av-offset"
        /// A segment cannot be opened or decoded alone.
        case segmentAlone = "content.segment-alone"
        /// A segment has unexpected tracks or lacks some.
        case tracks = "content.tracks"
        /// A segment does not begin at its planned time.
        case segmentStart = "content.segment-start"
        /// Frame numbers or audio positions of a synthetic file differ from the source's.
        case syntheticContent = "content.synthetic"
        /// The source cannot be decoded for comparison.
        case sourceUnreadable = "content.source-unreadable"
    }

    // Size: a row of figures, one for each measurement.
    package struct Metrics: Sendable, Equatable {
        /// Source samples per channel that were compared.
        package var comparedSamples: Int64 = 0
        /// Source samples that were not delivered.
        package var missingSamples: Int64 = 0
        /// Samples that were repeated.
        package var repeatedSamples: Int64 = 0
        /// Samples that are not the source's.
        package var alteredSamples: Int64 = 0
        /// Samples that fill gaps in the source's timestamps.
        package var filledSamples: Int64 = 0
        /// Samples before the source's first: the encoder delay.
        package var leadingSamples: Int64 = 0
        /// The part of them that was not declared, although timestamps account for it.
        package var undeclaredLeadingSamples: Int64 = 0
        /// Samples after the source's last.
        package var trailingSamples: Int64 = 0
        /// The delay of the audio relative to the video, or to the plan without video, compared with the source; nil
        /// without audio.
        package var avOffsetMilliseconds: Double?
        /// The 95th percentile of the relative error at segment boundaries; nil if nothing was transcoded.
        package var borderError: Double?
        /// The same inside segments.
        package var insideError: Double?
        package var comparedPictures = 0
        /// Source frames that were not delivered.
        package var missingPictures = 0
        /// Frames that were repeated or are not the source's.
        package var extraPictures = 0
        /// Leading source frames without a preceding keyframe, which cannot be decoded.
        package var undecodablePictures = 0
        /// The minimum similarity of a transcoded frame, up to 1; nil if none was transcoded.
        package var leastLikeness: Double?
        /// The mean similarity.
        package var meanLikeness: Double?
        /// The maximum mean color difference of a transcoded frame, in 8-bit steps; nil if not comparable.
        package var greatestColourDistance: Double?
        /// The size of all segments and the init segment, in bytes.
        package var bytes = 0
    }

    /// The differences; empty if everything is correct.
    package var differences: [Difference] = []

    package var metrics = Metrics()

    /// The libav errors while decoding the source; such content is lost in any player.
    package var sourceComplaints: [String] = []

    package var isRight: Bool { differences.isEmpty }

    /// Adds a finding.
    mutating func find(_ rule: Rule, _ message: String, at seconds: Double? = nil) {
        differences.append(Difference(rule: rule, message: message, seconds: seconds))
    }
}
