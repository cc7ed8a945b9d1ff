/// What a packager may do to a source without it counting as a fault.
///
/// All times are in seconds.
package struct ContentAllowance: Sendable, Equatable {
    /// How much audio and frame may lie apart from the start on: encoders put up to 50 ms before the audio, and not all
    /// say so.
    package var offset = 0.05
    /// By how much audio or frame may be moved on the way: about a frame of audio.
    package var step = 0.025
    /// How much of the audio may be missing or be filled up at the start.
    package var head = 0.12
    /// How much of audio or frame may be missing at the end: a frame that is not full, and what an encoder holds back.
    package var tail = 0.15
    /// The number of seconds of the source may be missing at the start of the frame.
    package var pictureHead = 0.0
    /// How long audio may go on after the source's.
    package var overhang = 0.25
    /// How long a dropout is that counts.
    package var dropout = 0.02
    /// From which correlation on, from 0 to 1, audio is the source's.
    package var soundLikeness = 0.5
    /// From which structural similarity on, from 0 to 1, a frame is the source's.
    package var pictureLikeness = 0.6
    /// What the mean similarity of all frames may not be below.
    package var meanPictureLikeness = 0.8
    /// How far colors may lie from the source's on average, in steps of 8 bits, each evened out over a small window.
    package var colour = 12.0
    /// By how many decibels the audio may be louder or quieter.
    package var gain = 6.0
    /// True if there may be fewer frames per second than in the source, all at the same distance.
    package var allowsFewerPictures = true
    /// True if single frames may be left out.
    package var allowsDroppedPictures = false
    /// True if the shape of the frame may differ, as with bars added.
    package var allowsOtherShape = false

    /// The allowance that holds where nothing else is said.
    package init() {}
}
