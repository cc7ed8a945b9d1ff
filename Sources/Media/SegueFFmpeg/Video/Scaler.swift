internal import CSegueFFmpeg

/// A converter of frame size and pixel format.
package final class Scaler {
    private let context: OpaquePointer
    private let output: Format

    /// The format of frames.
    package struct Format: CustomStringConvertible {
        let width: Int
        let height: Int
        let pixelFormat: String

        /// `pixelFormat` is libav's name.
        package init(width: Int, height: Int, pixelFormat: String) {
            (self.width, self.height, self.pixelFormat) = (width, height, pixelFormat)
        }

        package var description: String { "\(width)x\(height) \(pixelFormat)" }
    }

    /// A scaling method.
    package enum Interpolation: Sendable {
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
    ///   - input: The format of the input.
    ///   - isFullRange: Treats input luma as 0 to 255 although the format does not declare it.
    ///   - output: The format of the output.
    /// - Throws: ``MediaError`` if libswscale does not support the conversion.
    package init(
        from input: Format,
        isFullRange: Bool = false,
        to output: Format,
        by interpolation: Interpolation = .bilinear
    ) throws(MediaError) {
        startLibAV()
        guard
            let made = sws_getContext(
                Int32(input.width),
                Int32(input.height),
                av_get_pix_fmt(input.pixelFormat),
                Int32(output.width),
                Int32(output.height),
                av_get_pix_fmt(output.pixelFormat),
                interpolation.flags,
                nil,
                nil,
                nil
            )
        else {
            throw MediaError(
                call: "sws_getContext",
                file: "\(input)",
                message: "libswscale cannot convert to \(output)"
            )
        }
        context = made
        if isFullRange {
            let table = sws_getCoefficients(SWS_CS_DEFAULT)
            sws_setColorspaceDetails(made, table, 1, table, 0, 0, 1 << 16, 1 << 16)
        }
        self.output = output
    }

    deinit { sws_freeContext(context) }

    /// Converts a frame and keeps its timestamp.
    package func convert(_ frame: Frame) throws(MediaError) -> Frame {
        let format = output.pixelFormat
        let output = try Frame(pixelFormat: format, width: output.width, height: output.height)
        try check(sws_scale_frame(context, output.pointer, frame.pointer), call: "sws_scale_frame", file: format)
        output.pts = frame.pts
        return output
    }
}
