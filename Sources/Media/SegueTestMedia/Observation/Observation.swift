/// What was really seen and heard of test media, as a recording shows it.
///
/// Times are seconds on the recording's clock; places are seconds on a title's timeline. A frame's time is that of the
/// first frame of the recording that shows it: it came on at most ``pictureInterval`` before.
package struct Observation: Sendable, Equatable, Codable {
    /// A stretch in which the frames of a title go on with the recording's clock.
    package struct Pictures: Sendable, Equatable, Codable {
        /// The title; nil where nothing tells which one it is.
        package var title: String?
        package var start: Double
        package var end: Double
        package var source: Double
        package var sourceEnd: Double
        package var firstNumber: Int
        package var lastNumber: Int
        /// The number of different frames were seen.
        package var seen: Int
        /// Frames between that should have been seen and were not.
        package var dropped: Int
        /// Frames between that the recording has too few frames to show, or shows mixed with their neighbours.
        package var unseen: Int
        /// By how many frames' time frames were shown longer than the two frame rates explain.
        package var repeated: Int
        /// The longest time for which one frame stood longer than that.
        package var longestFreeze: Double
        /// How much faster the title goes than the recording's clock, in millionths; nil for less than ten seconds.
        package var driftPPM: Double?
        /// How the audio lies to the frames.
        package var soundOffset: AudioOffset?
        /// Which variants were seen, one after the other; empty for a film whose frames have no mark.
        package var variants: [Variant] = []
    }

    /// Frames in a row that show the mark of one variant.
    package struct Variant: Sendable, Equatable, Codable {
        package var mark: Int
        /// When the first of them was seen, and its place.
        package var start: Double
        package var source: Double
        /// The number of frames were seen with it.
        package var seen: Int
    }

    /// How much later than its frame audio is heard, in milliseconds; below zero it is early.
    package struct AudioOffset: Sendable, Equatable, Codable {
        package var median: Double
        package var least: Double
        package var most: Double
        /// How far the median may be off: half a frame of the recording.
        package var error: Double
        /// From how many frames it follows.
        package var pictures: Int
    }

    /// A stretch in which the audio of a title goes on without a break.
    package struct Sound: Sendable, Equatable, Codable {
        package var title: String
        /// The number of the title's audio track, from 0.
        package var track: Int
        package var start: Double
        package var end: Double
        package var source: Double
        package var sourceEnd: Double
        /// How much faster the title goes than the recording's clock, in millionths; nil for less than two seconds.
        package var driftPPM: Double?
    }

    /// True if video or audio broke off.
    package enum Medium: String, Sendable, Equatable, Codable { case picture, sound }

    /// What lies between one stretch and the next.
    package struct Break: Sendable, Equatable, Codable {
        package var medium: Medium
        package var start: Double
        package var end: Double
        /// How much of it showed the frame before, was dark or silent, or was neither.
        package var frozen: Double
        package var empty: Double
        package var unknown: Double
        /// How much of the title was left out (above zero) or came again (below); nil where the title is another.
        package var jump: Double?
    }

    /// How long it took for something to be seen and heard.
    package struct StartUp: Sendable, Equatable, Codable {
        /// From when it is counted.
        package var from: Double
        package var firstPicture: Double?
        package var firstSound: Double?
    }

    /// The length of the recording.
    package var duration: Double
    /// From one frame of the recording to the next; 0 without frames.
    package var pictureInterval: Double
    package var startUp: StartUp
    package var pictures: [Pictures]
    package var sounds: [Sound]
    /// In the order of their times.
    package var breaks: [Break]
}

extension Observation {
    /// Concludes from what was read of a recording.
    ///
    /// - Parameters:
    ///   - recording: What was read.
    ///   - mark: From when start-up is counted; nil for the first change of the frame.
    package init(of recording: Recording, from mark: Double? = nil) {
        let stretches = VideoStretches(recording).stretches
        let hearings = recording.hearings
        duration = recording.duration
        pictureInterval = recording.pictureInterval
        startUp = StartUp(
            from: mark ?? recording.firstChange ?? 0,
            firstPicture: stretches.lazy.map(\.start).first { $0 >= mark ?? 0 },
            firstSound: hearings.lazy.map(\.first).first { $0 >= mark ?? 0 }
        )
        sounds = hearings.map { Sound($0, title: recording.titles[$0.title].name) }
        pictures = stretches.map { stretch in
            var pictures = stretch.pictures
            pictures.soundOffset = AudioOffset(of: stretch, in: recording)
            return pictures
        }
        let dark = VideoBreaks.breaks(between: stretches, in: recording)
        breaks = (dark + Self.soundBreaks(hearings)).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    private static func soundBreaks(_ hearings: [Recording.Hearing]) -> [Break] {
        zip(hearings, hearings.dropFirst()).map { before, after in
            let length = max(after.first - before.end, 0)
            let silent = min(after.silentBefore, length)
            return Break(
                medium: .sound,
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

extension Observation.Sound {
    fileprivate init(_ hearing: Recording.Hearing, title: String) {
        self.title = title
        (track, start, end) = (hearing.track, hearing.first, hearing.end)
        (source, sourceEnd) = (hearing.source, hearing.sourceEnd)
        driftPPM = hearing.end - hearing.first >= 2 ? (hearing.speed - 1) * 1e6 : nil
    }
}

extension Observation.AudioOffset {
    /// How the audio that is heard during a stretch of frames lies to them.
    fileprivate init?(of stretch: VideoStretch, in recording: Recording) {
        let near = recording.hearings.filter {
            ($0.title == stretch.title || stretch.title == nil) && $0.first < stretch.end + 1
                && $0.end > stretch.start - 1
        }
        let half = recording.pictureInterval / 2
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
            pictures: offsets.count
        )
    }
}
