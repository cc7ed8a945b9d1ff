package import SegueBase
package import SeguePlaylists

/// What a sample entry, a parameter set or the head of a frame says of how a track is coded.
package struct CodingSetup: Sendable, Equatable {
    /// The codec as `CODECS` has it, with each field that the set-up tells; nil where it does not.
    package var codec: String?

    /// How many pixels a picture has that are shown.
    package var size: Resolution?

    /// How wide a pixel is for its height; nil where that is not said.
    package var pixelShape: Rational?

    /// How brightness is coded, by the numbers of ISO/IEC 23091-2; nil where that is not said.
    package var transfer: Int?

    /// How many channels the sound has; nil where that is not told.
    package var channels: Int?

    /// Samples of sound a second, as its frames count them.
    package var sampleRate: Int?

    /// How many of those a frame has; nil where frames differ or it is not told.
    package var frameLength: Int?

    /// Whether the sound has objects beside its channels (Dolby Digital Plus with Atmos).
    package var hasObjects = false

    /// Whether the bytes say themselves that the sound's band is replicated (HE-AAC).
    package var saysBandReplication = false

    /// A set-up of which nothing is known.
    package init() {}

    /// The size on a screen of square pixels.
    var displaySize: Resolution? {
        guard let size, let pixelShape, pixelShape > .zero else { return size }
        let width = (Rational(Int64(size.width)) * pixelShape).rounded(scale: 1)
        return Resolution(width: Int(clamping: width), height: size.height)
    }

    /// What `VIDEO-RANGE` has to say; nil where the coding does not tell.
    var videoRange: String? {
        switch transfer {
        case 16: "PQ"
        case 18: "HLG"
        case 1, 6, 13, 14, 15: "SDR"
        default: nil
        }
    }
}
