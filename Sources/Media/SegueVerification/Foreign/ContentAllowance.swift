/// What a packager may do to a source without it counting as a fault.
///
/// All times are in seconds.
package struct ContentAllowance: Sendable, Equatable {
    /// How much sound and picture may lie apart from the start on: encoders put up to 50 ms before the sound, and not all
    /// say so.
    package var offset = 0.05
    /// By how much sound or picture may be moved on the way: about a frame of sound.
    package var step = 0.025
    /// How much of the sound may be missing or be filled up at the start.
    package var head = 0.12
    /// How much of sound or picture may be missing at the end: a frame that is not full, and what an encoder holds back.
    package var tail = 0.15
    /// How many seconds of the source may be missing at the start of the picture.
    package var pictureHead = 0.0
    /// How long sound may go on after the source's.
    package var overhang = 0.25
    /// How long a dropout is that counts.
    package var dropout = 0.02
    /// From which correlation on, from 0 to 1, sound is the source's.
    package var soundLikeness = 0.5
    /// From which structural similarity on, from 0 to 1, a picture is the source's.
    package var pictureLikeness = 0.6
    /// What the mean similarity of all pictures may not be below.
    package var meanPictureLikeness = 0.8
    /// How far colours may lie from the source's on average, in steps of 8 bits, each evened out over a small window.
    package var colour = 12.0
    /// By how many decibels the sound may be louder or quieter.
    package var gain = 6.0
    /// Whether there may be fewer pictures a second than in the source, all at the same distance.
    package var allowsFewerPictures = true
    /// Whether single pictures may be left out.
    package var allowsDroppedPictures = false
    /// Whether the shape of the picture may differ, as with bars added.
    package var allowsOtherShape = false

    /// The allowance that holds where nothing else is said.
    package init() {}
}
