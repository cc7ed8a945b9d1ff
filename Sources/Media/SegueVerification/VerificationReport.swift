/// What came of comparing what was delivered with a direct decode of the source.
package struct VerificationReport: Sendable, Equatable {
    /// Something that is not as it should be.
    package struct Difference: Sendable, Equatable {
        /// Which rule is broken.
        package var rule: Rule
        /// What is wrong, in one line.
        package var message: String
        /// Where, in seconds from the start of the plan, when it is at a place.
        package var seconds: Double?
    }

    /// The rules that content can break.
    package enum Rule: String, Sendable, CaseIterable {
        /// Audio of the source is not there.
        case soundMissing = "content.sound-missing"
        /// Audio of the source is there twice.
        case soundRepeated = "content.sound-repeated"
        /// Something is there that the source has not.
        case soundInserted = "content.sound-inserted"
        /// A silence or a dip is there that the source has not.
        case soundSilent = "content.sound-silent"
        /// Copied samples are not the source's, or transcoded ones do not resemble them.
        case soundAltered = "content.sound-altered"
        /// Audio comes in another order.
        case soundReordered = "content.sound-reordered"
        /// All audio comes earlier or later than in the source.
        case soundShifted = "content.sound-shifted"
        /// An audio's timestamps do not keep the place that it has in the source.
        case soundTime = "content.sound-time"
        /// The error at segment borders is higher than inside segments.
        case borderError = "content.border-error"
        /// Frames of the source are not there.
        case picturesMissing = "content.pictures-missing"
        /// Frames are there twice, or are not the source's.
        case picturesExtra = "content.pictures-extra"
        /// Frames come in another order.
        case picturesReordered = "content.pictures-reordered"
        /// Copied frames are not the source's, bit by bit, or transcoded ones do not resemble them.
        case picturesAltered = "content.pictures-altered"
        /// A frame is due at another time than in the source.
        case pictureTime = "content.picture-time"
        /// Audio and frame are not together as in the source.
        case avOffset = "content.av-offset"
        /// A segment cannot be opened or decoded from its own start.
        case segmentAlone = "content.segment-alone"
        /// A segment has tracks that the rendition has not, or lacks some.
        case tracks = "content.tracks"
        /// A segment does not begin where the plan says.
        case segmentStart = "content.segment-start"
        /// Block codes or audio positions of a synthetic file tell another story than the source's.
        case syntheticContent = "content.synthetic"
        /// The source cannot be decoded to compare with.
        case sourceUnreadable = "content.source-unreadable"
    }

    /// Numbers about what was compared.
    package struct Metrics: Sendable, Equatable {
        /// Samples a channel of the source that were compared.
        package var comparedSamples: Int64 = 0
        /// Samples of the source that were not delivered.
        package var missingSamples: Int64 = 0
        /// Samples that were delivered again.
        package var repeatedSamples: Int64 = 0
        /// Samples that were delivered and are not the source's.
        package var alteredSamples: Int64 = 0
        /// Samples of filling where the source's own timestamps leave a hole.
        package var filledSamples: Int64 = 0
        /// Samples before the first of the source's: the encoder's delay.
        package var leadingSamples: Int64 = 0
        /// The number of of them were not declared, though timestamps take them into account.
        package var undeclaredLeadingSamples: Int64 = 0
        /// Samples after the last of the source's.
        package var trailingSamples: Int64 = 0
        /// How much later than in the source the audio is, against the frame, or against the plan where there is no
        /// frame; nil without audio.
        package var avOffsetMilliseconds: Double?
        /// The 95th percentile of the error at segment borders, as a fraction of the audio; nil where nothing was
        /// transcoded.
        package var borderError: Double?
        /// The same inside of segments.
        package var insideError: Double?
        /// Frames that were compared.
        package var comparedPictures = 0
        /// Frames of the source that were not delivered.
        package var missingPictures = 0
        /// Frames that were delivered again or are not the source's.
        package var extraPictures = 0
        /// Frames at the start of the source that nobody can decode, as a keyframe is missing before them.
        package var undecodablePictures = 0
        /// The minimum likeness of a transcoded frame to the source's, 1 where both are the same; nil where none was
        /// transcoded.
        package var leastLikeness: Double?
        /// The mean of all.
        package var meanLikeness: Double?
        /// The maximum mean distance of a transcoded frame's colors from the source's, in steps of 8 bits; nil where
        /// none can be compared.
        package var greatestColourDistance: Double?
        /// Bytes of all segments and the init segment.
        package var bytes = 0
    }

    /// What is wrong; empty when everything is right.
    package var differences: [Difference] = []

    /// What was compared.
    package var metrics = Metrics()

    /// What libav complained about while it decoded the source; such audio and video are lost in any player.
    package var sourceComplaints: [String] = []

    /// True if everything is right.
    package var isRight: Bool { differences.isEmpty }

    /// Adds a finding.
    mutating func find(_ rule: Rule, _ message: String, at seconds: Double? = nil) {
        differences.append(Difference(rule: rule, message: message, seconds: seconds))
    }
}
