/// The raw data of a recording of screen and audio, before analysis.
///
/// All times are seconds on the recording's clock; all positions are seconds on a title's timeline.
package struct Recording: Sendable, Equatable {
    /// A test title that may occur in the recording.
    package struct Title: Sendable, Equatable {
        package var name: String
        /// The presentation time of each frame, in order; empty for audio.
        package var frameTimes: [Double]

        package init(name: String, frameTimes: [Double]) { (self.name, self.frameTimes) = (name, frameTimes) }
    }

    /// The content of a recorded frame.
    package enum Look: Sendable, Equatable {
        /// A numbered frame.
        case number(Int)
        case dark
        /// An image without a number: a blend, a spinner, a desktop.
        case unreadable
    }

    /// Consecutive recorded frames with the same content.
    package struct Showing: Sendable, Equatable {
        package var look: Look
        /// The times of the first and the last of them.
        package var first: Double
        package var last: Double
        /// The number of frames.
        package var count: Int
        /// The variant's mark, if any.
        package var mark: Int?

        package init(_ look: Look, first: Double, last: Double, count: Int, mark: Int? = nil) {
            (self.look, self.first, self.last, self.count, self.mark) = (look, first, last, count, mark)
        }
    }

    /// A section of uninterrupted audio of a title.
    package struct Hearing: Sendable, Equatable {
        /// The title's index.
        package var title: Int
        /// The number of the title's audio track.
        package var track: Int
        package var first: Double
        package var end: Double
        /// The position at `first`.
        package var source: Double
        /// The content's speed relative to the recording.
        package var speed: Double
        /// The silence since the preceding section, in seconds.
        package var silentBefore = 0.0

        package init(
            title: Int,
            track: Int = 0,
            first: Double,
            end: Double,
            source: Double,
            speed: Double = 1
        ) {
            (self.title, self.track, self.first, self.end) = (title, track, first, end)
            (self.source, self.speed) = (source, speed)
        }

        /// The time at which a position is heard, extrapolated if necessary.
        func time(of place: Double) -> Double { first + (place - source) / speed }

        /// The position at the end.
        var sourceEnd: Double { source + (end - first) * speed }
    }

    package var duration: Double
    /// The median frame interval; 0 without video.
    package var frameInterval: Double
    /// The time of the first change of the image.
    package var firstChange: Double?
    package var titles: [Title]
    package var showings: [Showing]
    package var hearings: [Hearing]

    package init(
        duration: Double,
        frameInterval: Double,
        firstChange: Double? = nil,
        titles: [Title],
        showings: [Showing],
        hearings: [Hearing]
    ) {
        (self.duration, self.frameInterval, self.firstChange) = (duration, frameInterval, firstChange)
        (self.titles, self.showings, self.hearings) = (titles, showings, hearings)
    }
}
