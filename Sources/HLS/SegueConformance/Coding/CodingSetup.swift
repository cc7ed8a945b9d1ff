package import SegueBase
package import SeguePlaylists

/// The coding of a track by its sample entry, parameter sets, or frame headers.
package struct CodingSetup: Sendable, Equatable {
    /// The codec in the form of `CODECS` with the known fields; nil if it is unknown.
    package var codec: String?

    /// The cropped size in pixels.
    package var size: Resolution?

    /// The pixel aspect ratio; nil if it is unknown.
    package var pixelShape: Rational?

    /// True if the track's matrix turns frames by a quarter for display.
    package var isOnItsSide = false

    /// The transfer characteristics of ISO/IEC 23091-2; nil if they are unknown.
    package var transfer: Int?

    /// The channel count; nil if it is unknown.
    package var channels: Int?

    /// The sample rate of the frames, without band replication.
    package var sampleRate: Int?

    /// The samples of a frame; nil if they vary or are unknown.
    package var frameLength: Int?

    /// True if the audio has objects (Dolby Digital Plus with Atmos).
    package var hasObjects = false

    /// True if the setup signals spectral band replication explicitly (HE-AAC).
    package var saysBandReplication = false

    /// An unknown setup.
    package init() {}

    /// The display size in square pixels.
    var displaySize: Resolution? {
        guard let size else { return nil }
        let shape = pixelShape.flatMap { $0 > .zero ? $0 : nil } ?? Rational(1)
        let width = Int(clamping: (Rational(Int64(size.width)) * shape).rounded(scale: 1))
        return isOnItsSide
            ? Resolution(width: size.height, height: width) : Resolution(width: width, height: size.height)
    }

    /// The matching `VIDEO-RANGE`; nil if the transfer characteristics are unknown.
    var videoRange: String? {
        switch transfer {
        case 16: "PQ"
        case 18: "HLG"
        case 1, 6, 13, 14, 15: "SDR"
        default: nil
        }
    }
}
