internal import CSegueFFmpeg

/// A converter of frame size and pixel format.
package final class Scaler {
    private let context: OpaquePointer
    private let width: Int
    private let height: Int
    private let pixelFormat: String

    /// A scaling method.
    package enum Interpolation: Sendable {
        /// Bilinear interpolation.
        case bilinear
        /// The nearest pixel, for frames that keep their size.
        case nearest

        fileprivate var flags: Int32 {
            switch self {
            case .bilinear: SWS_BILINEAR | SWS_BITEXACT | SWS_ACCURATE_RND
            case .nearest: ffs_scaler_flags
            }
        }
    }

    /// Sets up a bit-exact conversion.
    ///
    /// - Parameters:
    ///   - width: The input width, in pixels.
    ///   - height: The input height, in pixels.
    ///   - pixelFormat: libav's name of the input pixel format.
    ///   - isFullRange: Treats input luma as 0 to 255 although the format does not declare it.
    ///   - newWidth: The output width, in pixels.
    ///   - newHeight: The output height, in pixels.
    ///   - newFormat: libav's name of the output pixel format.
    ///   - interpolation: The scaling method.
    /// - Throws: ``MediaError`` if libswscale does not support the conversion.
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
                message: "libswscale cannot convert to \(newWidth)x\(newHeight) \(newFormat)"
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

    /// Converts a frame and keeps its timestamp.
    package func convert(_ frame: Frame) throws(MediaError) -> Frame {
        let output = try Frame(pixelFormat: pixelFormat, width: width, height: height)
        try check(sws_scale_frame(context, output.pointer, frame.pointer), call: "sws_scale_frame", file: pixelFormat)
        output.pts = frame.pts
        return output
    }
}
