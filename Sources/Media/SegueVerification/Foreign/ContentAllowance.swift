/// The permitted differences between a packager's output and its source.
///
/// All times are in seconds.
package struct ContentAllowance: Sendable, Equatable {
    /// The maximum initial offset of audio to video: encoders add up to 50 ms of delay, and not all declare it.
    package var offset = 0.05
    /// The maximum later shift of audio or video: about an audio frame.
    package var step = 0.025
    /// The maximum duration of missing or padded audio at the start.
    package var head = 0.12
    /// The maximum missing duration at the end: an incomplete frame, and the encoder's delay.
    package var tail = 0.15
    /// The maximum missing video duration at the start.
    package var pictureHead = 0.0
    /// The maximum duration of audio after the source's end.
    package var overhang = 0.25
    /// The minimum duration of a reported dropout.
    package var dropout = 0.02
    /// The minimum correlation of audio with the source's, from 0 to 1.
    package var soundLikeness = 0.5
    /// The minimum structural similarity of a frame with the source's, from 0 to 1.
    package var pictureLikeness = 0.6
    /// The minimum mean similarity of all frames.
    package var meanPictureLikeness = 0.8
    /// The maximum mean color difference, in 8-bit steps, each smoothed over a small window.
    package var colour = 12.0
    /// The maximum loudness difference, in decibels.
    package var gain = 6.0
    /// True if a lower constant frame rate is permitted.
    package var allowsFewerPictures = true
    /// True if single dropped frames are permitted.
    package var allowsDroppedPictures = false
    /// True if another aspect ratio is permitted, such as added bars.
    package var allowsOtherShape = false

    /// Creates the default allowance.
    package init() {}
}
