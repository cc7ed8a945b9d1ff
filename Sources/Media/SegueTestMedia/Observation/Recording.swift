/// What was read of a recording of a screen and its audio, before anything is concluded from it.
///
/// All times are seconds on the recording's clock, from its beginning; all places are seconds on a title's own
/// timeline.
package struct Recording: Sendable, Equatable {
    /// A test film or song that may be in the recording.
    package struct Title: Sendable, Equatable {
        /// What it is called.
        package var name: String
        /// When each frame is due, in order; empty for a song.
        package var pictureTimes: [Double]

        /// A title.
        package init(name: String, pictureTimes: [Double]) { (self.name, self.pictureTimes) = (name, pictureTimes) }
    }

    /// What frames of the recording show.
    package enum Look: Sendable, Equatable {
        /// A film's frame with this number.
        case number(Int)
        /// Next to nothing.
        case dark
        /// Something, but no number: two frames in one, a spinner, a desk.
        case unreadable
    }

    /// Frames of the recording in a row that show the same.
    package struct Showing: Sendable, Equatable {
        package var look: Look
        /// When the first and the last of them were taken.
        package var first: Double
        package var last: Double
        /// The number of they are.
        package var count: Int
        /// The mark of the film's variant that they show, where it has one.
        package var mark: Int?

        /// A showing.
        package init(_ look: Look, first: Double, last: Double, count: Int, mark: Int? = nil) {
            (self.look, self.first, self.last, self.count, self.mark) = (look, first, last, count, mark)
        }
    }

    /// A stretch of the recording in which the audio of a title goes on without a break.
    package struct Hearing: Sendable, Equatable {
        /// The number of the title.
        package var title: Int
        /// The number of the title's audio track.
        package var track: Int
        package var first: Double
        package var end: Double
        /// The place at `first`.
        package var source: Double
        /// Seconds of the title in a second of the recording.
        package var speed: Double
        /// Seconds of silence since the hearing before.
        package var silentBefore: Double

        /// A hearing.
        package init(
            title: Int,
            track: Int = 0,
            first: Double,
            end: Double,
            source: Double,
            speed: Double = 1,
            silentBefore: Double = 0
        ) {
            (self.title, self.track, self.first, self.end) = (title, track, first, end)
            (self.source, self.speed, self.silentBefore) = (source, speed, silentBefore)
        }

        /// When a place is heard, or would be if the hearing went on.
        func time(of place: Double) -> Double { first + (place - source) / speed }

        /// The place at its end.
        var sourceEnd: Double { source + (end - first) * speed }
    }

    /// How long it is.
    package var duration: Double
    /// From one frame to the next, in the middle; 0 without frames.
    package var pictureInterval: Double
    /// When the frame first changed.
    package var firstChange: Double?
    package var titles: [Title]
    package var showings: [Showing]
    package var hearings: [Hearing]

    /// A recording.
    package init(
        duration: Double,
        pictureInterval: Double,
        firstChange: Double? = nil,
        titles: [Title],
        showings: [Showing],
        hearings: [Hearing]
    ) {
        (self.duration, self.pictureInterval, self.firstChange) = (duration, pictureInterval, firstChange)
        (self.titles, self.showings, self.hearings) = (titles, showings, hearings)
    }
}
