package import SegueBase

/// The comparison of a delivery with a direct decode of the source.
package struct VerificationReport: Sendable, Equatable {
    package struct Difference: Sendable, Equatable {
        package var rule: Rule
        /// A one-line message.
        package var message: Message
        /// The position in seconds from the plan's start, if there is one.
        package var seconds: Double?
    }

    /// The rules for content.
    package enum Rule: String, Sendable, CaseIterable {
        case soundMissing = "content.sound-missing"
        case soundRepeated = "content.sound-repeated"
        case soundInserted = "content.sound-inserted"
        case soundSilent = "content.sound-silent"
        case soundAltered = "content.sound-altered"
        case soundReordered = "content.sound-reordered"
        case soundShifted = "content.sound-shifted"
        case soundTime = "content.sound-time"
        case borderError = "content.border-error"
        case picturesMissing = "content.pictures-missing"
        case picturesExtra = "content.pictures-extra"
        case picturesReordered = "content.pictures-reordered"
        case picturesAltered = "content.pictures-altered"
        case pictureTime = "content.picture-time"
        case avOffset = "content.av-offset"
        case segmentAlone = "content.segment-alone"
        case tracks = "content.tracks"
        case segmentStart = "content.segment-start"
        case syntheticContent = "content.synthetic"
        case sourceUnreadable = "content.source-unreadable"

        /// The rule in a sentence.
        package var about: String {
            switch self {
            case .soundMissing: "All audio of the source is delivered."
            case .soundRepeated: "No audio of the source is delivered twice."
            case .soundInserted: "No audio is delivered that the source does not have."
            case .soundSilent: "There is no silence or dip that the source does not have."
            case .soundAltered: "Copied audio is identical to the source, and transcoded audio is similar."
            case .soundReordered: "Audio is delivered in the order of the source."
            case .soundShifted: "Audio begins at the same time as in the source."
            case .soundTime: "Audio timestamps match the source."
            case .borderError: "The error at segment borders is no higher than inside segments."
            case .picturesMissing: "All frames of the source are delivered."
            case .picturesExtra: "No frame is delivered twice, and none is added."
            case .picturesReordered: "Frames are delivered in the order of the source."
            case .picturesAltered: "Copied frames are identical to the source, and transcoded frames are similar."
            case .pictureTime: "Frame times match the source."
            case .avOffset: "Audio and video are in sync as in the source."
            case .segmentAlone: "A segment can be opened and decoded on its own."
            case .tracks: "A segment has the tracks of its rendition."
            case .segmentStart: "A segment begins at its planned time."
            case .syntheticContent: "The frame codes and audio positions of a synthetic file match the source."
            case .sourceUnreadable: "The source can be decoded for comparison."
            }
        }
    }

    // Size: a row of figures, one for each measurement.
    package struct Metrics: Sendable, Equatable {
        /// Source samples per channel that were compared.
        package var comparedSamples: Int64 = 0
        /// Source samples that were not delivered.
        package var missingSamples: Int64 = 0
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
        package var comparedFrames = 0
        /// Source frames that were not delivered.
        package var missingFrames = 0
        /// Frames that were repeated or are not the source's.
        package var extraFrames = 0
        /// Leading source frames without a preceding keyframe, which cannot be decoded.
        package var undecodableFrames = 0
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
    mutating func find(_ rule: Rule, _ message: Message, at seconds: Double? = nil) {
        differences.append(Difference(rule: rule, message: message, seconds: seconds))
    }
}
