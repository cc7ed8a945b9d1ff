internal import SegueBase

/// The test media actually seen and heard in a recording.
///
/// Times are seconds on the recording's clock; positions are seconds on a title's timeline. A frame's time is that of
/// the first recorded frame that shows it: it appeared at most ``frameInterval`` earlier.
package struct Observation: Sendable, Equatable, Codable {
    /// A section in which a title's frames advance with the recording's clock.
    package struct Video: Sendable, Equatable, Codable {
        /// The title; nil if it cannot be determined.
        package var title: String?
        package var start: Double
        package var end: Double
        package var source: Double
        package var sourceEnd: Double
        package var firstNumber: Int
        package var lastNumber: Int
        /// The number of different frames seen.
        package var seen: Int
        /// The number of frames that were missing.
        package var dropped: Int
        /// The number of frames that the recording's frame rate is too low to show, or that are blended with their
        /// neighbors.
        package var unseen: Int
        /// The total excess display time in frame durations, beyond what the two frame rates explain.
        package var repeated: Int
        /// The maximum excess display time of one frame.
        package var longestFreeze: Double
        /// The title's speed relative to the recording's clock, in ppm; nil for less than ten seconds.
        package var driftPPM: Double?
        /// The audio's offset to the video.
        package var audioOffset: AudioOffset?
        /// The variants seen in order; empty for unmarked video.
        package var variants: [Variant] = []

        private enum CodingKeys: String, CodingKey {
            case title, start, end, source, sourceEnd, firstNumber, lastNumber, seen, dropped, unseen, repeated
            case longestFreeze, driftPPM, variants
            case audioOffset = "soundOffset"
        }
    }

    /// Consecutive frames with the mark of one variant.
    package struct Variant: Sendable, Equatable, Codable {
        package var mark: Int
        /// The time and position of the first frame.
        package var start: Double
        package var source: Double
        /// The number of frames seen.
        package var seen: Int
    }

    /// The delay of the audio after its video, in milliseconds; negative if early.
    package struct AudioOffset: Sendable, Equatable, Codable {
        package var median: Double
        package var least: Double
        package var most: Double
        /// The uncertainty of the median: half a frame of the recording.
        package var error: Double
        /// The number of frames measured.
        package var frames: Int

        private enum CodingKeys: String, CodingKey {
            case median, least, most, error
            case frames = "pictures"
        }
    }

    /// A section of uninterrupted audio of a title.
    package struct Audio: Sendable, Equatable, Codable {
        package var title: String
        /// The number of the title's audio track, from 0.
        package var track: Int
        package var start: Double
        package var end: Double
        package var source: Double
        package var sourceEnd: Double
        /// The title's speed relative to the recording's clock, in ppm; nil for less than two seconds.
        package var driftPPM: Double?
    }

    /// The interrupted medium.
    package enum Medium: String, Sendable, Equatable, Codable {
        case video = "picture"
        case audio = "sound"
    }

    /// The gap between two sections.
    package struct Break: Sendable, Equatable, Codable {
        package var medium: Medium
        package var start: Double
        package var end: Double
        /// The durations of a frozen frame, of darkness or silence, and of other content.
        package var frozen: Double
        package var empty: Double
        package var unknown: Double
        /// The skipped (positive) or repeated (negative) duration of the title; nil if the title changes.
        package var jump: Double?
    }

    /// The time to the first frame and the first audio.
    package struct StartUp: Sendable, Equatable, Codable {
        /// The start of the measurement.
        package var from: Double
        package var firstFrame: Double?
        package var firstAudio: Double?

        private enum CodingKeys: String, CodingKey {
            case from
            case firstFrame = "firstPicture"
            case firstAudio = "firstSound"
        }
    }

    /// The duration of the recording.
    package var duration: Double
    /// The recording's frame interval; 0 without video.
    package var frameInterval: Double
    package var startUp: StartUp
    package var video: [Video]
    package var audio: [Audio]
    /// The gaps, in order of time.
    package var breaks: [Break]

    private enum CodingKeys: String, CodingKey {
        case duration, startUp, breaks
        case frameInterval = "pictureInterval"
        case video = "pictures"
        case audio = "sounds"
    }
}

extension Observation {
    /// Analyzes a recording; startup counts from `mark`, or from the first change of the image if nil.
    package init(of recording: Recording, from mark: Double? = nil) {
        let stretches = VideoStretches(recording).stretches
        let hearings = recording.hearings
        duration = recording.duration
        frameInterval = recording.frameInterval
        startUp = StartUp(
            from: mark ?? recording.firstChange ?? 0,
            firstFrame: stretches.lazy.map(\.start).first { $0 >= mark ?? 0 },
            firstAudio: hearings.lazy.map(\.first).first { $0 >= mark ?? 0 }
        )
        audio = hearings.map { Audio($0, title: recording.titles[$0.title].name) }
        video = stretches.map { stretch in
            var video = stretch.video
            video.audioOffset = AudioOffset(of: stretch, in: recording)
            return video
        }
        let dark = VideoBreaks.breaks(between: stretches, in: recording)
        breaks = (dark + Self.audioBreaks(hearings)).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    private static func audioBreaks(_ hearings: [Recording.Hearing]) -> [Break] {
        zip(hearings, hearings.dropFirst()).map { before, after in
            let length = max(after.first - before.end, 0)
            let silent = min(after.silentBefore, length)
            return Break(
                medium: .audio,
                start: before.end,
                end: after.first,
                frozen: 0,
                empty: silent,
                unknown: length - silent,
                jump: before.title == after.title ? after.source - before.sourceEnd : nil
            )
        }
    }
}

extension Observation.Audio {
    fileprivate init(_ hearing: Recording.Hearing, title: String) {
        self.title = title
        (track, start, end) = (hearing.track, hearing.first, hearing.end)
        (source, sourceEnd) = (hearing.source, hearing.sourceEnd)
        driftPPM = hearing.end - hearing.first >= 2 ? (hearing.speed - 1) * 1e6 : nil
    }
}

extension Observation.AudioOffset {
    /// Measures the audio's offset during a section of video.
    fileprivate init?(of stretch: VideoStretch, in recording: Recording) {
        let near = recording.hearings.filter {
            ($0.title == stretch.title || stretch.title == nil) && $0.first < stretch.end + 1
                && $0.end > stretch.start - 1
        }
        let half = recording.frameInterval / 2
        let offsets = stretch.points.compactMap { point -> Double? in
            let distances = near.compactMap { hearing -> Double? in
                let time = hearing.time(of: point.source)
                guard time >= hearing.first, time < hearing.end else { return nil }
                return time - (point.first - half)
            }
            return distances.min { abs($0) < abs($1) }.flatMap { abs($0) < 5 ? $0 * 1000 : nil }
        }
        .sorted()
        guard let least = offsets.first, let most = offsets.last else { return nil }
        self.init(
            median: offsets[offsets.count / 2],
            least: least,
            most: most,
            error: half * 1000,
            frames: offsets.count
        )
    }
}
