package import SegueBase

/// A decoded frame of video, reduced for comparison with those of other playlists.
package struct DecodedPicture: Sendable, Equatable {
    /// The width of all reduced pictures in pixels.
    package static let width = 48
    /// The height of all reduced pictures in pixels.
    package static let height = 27

    /// The index of the segment in the playlist, from 0.
    package var segment: Int

    /// The presentation time by the timestamps, in seconds.
    package var time: Rational

    /// The luma in rows, of limited range (16 to 235).
    package var luma: [UInt8]

    /// The mean of Cb; 128 without color.
    package var blue: Int

    /// The mean of Cr; 128 without color.
    package var red: Int

    /// The display aspect ratio of the frame, width by height.
    package var shape: Double

    package init(segment: Int, time: Rational, luma: [UInt8], blue: Int = 128, red: Int = 128, shape: Double = 16 / 9) {
        (self.segment, self.time, self.luma) = (segment, time, luma)
        (self.blue, self.red, self.shape) = (blue, red, shape)
    }
}
