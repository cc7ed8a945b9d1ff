internal import CSegueFFmpeg

/// Changes the size or the pixel format of frames.
package final class Scaler {
    private let context: OpaquePointer
    private let width: Int
    private let height: Int
    private let pixelFormat: String

    /// How pixels come about between those that are there.
    package enum Interpolation: Sendable {
        /// From the nearest four.
        case bilinear
        /// Not at all: the nearest is taken, for frames whose size stays.
        case nearest

        fileprivate var flags: Int32 {
            switch self {
            case .bilinear: SWS_BILINEAR | SWS_BITEXACT | SWS_ACCURATE_RND
            case .nearest: ffs_scaler_flags
            }
        }
    }

    /// Sets up a conversion, bit-exact.
    ///
    /// - Parameters:
    ///   - width: The width going in, in pixels.
    ///   - height: The height going in, in pixels.
    ///   - pixelFormat: libav's name of the pixel format going in.
    ///   - isFullRange: True if luma goes from 0 to 255 going in, though the format does not say so.
    ///   - newWidth: The width coming out, in pixels.
    ///   - newHeight: The height coming out, in pixels.
    ///   - newFormat: libav's name of the pixel format coming out.
    ///   - interpolation: How pixels come about between those that are there.
    /// - Throws: ``MediaError`` if libswscale cannot do it.
    package init(
        from width: Int,
        _ height: Int,
        pixelFormat: String,
        isFullRange: Bool = false,
        to newWidth: Int,
        _ newHeight: Int,
        pixelFormat newFormat: String,
        by interpolation: Interpolation = .bilinear
    ) throws(MediaError) {
        startLibAV()
        guard
            let made = sws_getContext(
                Int32(width),
                Int32(height),
                av_get_pix_fmt(pixelFormat),
                Int32(newWidth),
                Int32(newHeight),
                av_get_pix_fmt(newFormat),
                interpolation.flags,
                nil,
                nil,
                nil
            )
        else {
            throw MediaError(
                call: "sws_getContext",
                file: "\(width)x\(height) \(pixelFormat)",
                message: "no way to \(newWidth)x\(newHeight) \(newFormat)"
            )
        }
        context = made
        if isFullRange {
            let table = sws_getCoefficients(SWS_CS_DEFAULT)
            sws_setColorspaceDetails(made, table, 1, table, 0, 0, 1 << 16, 1 << 16)
        }
        self.width = newWidth
        self.height = newHeight
        self.pixelFormat = newFormat
    }

    deinit { sws_freeContext(context) }

    /// Converts a frame; its timestamp goes along.
    package func convert(_ frame: Frame) throws(MediaError) -> Frame {
        let output = try Frame(pixelFormat: pixelFormat, width: width, height: height)
        try check(sws_scale_frame(context, output.pointer, frame.pointer), call: "sws_scale_frame", file: pixelFormat)
        output.pts = frame.pts
        return output
    }
}
