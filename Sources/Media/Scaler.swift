internal import CFFmpeg

/// Changes the size or the pixel format of pictures.
package final class Scaler {
    private let context: OpaquePointer
    private let width: Int
    private let height: Int
    private let pixelFormat: String

    /// Sets up a conversion, bit-exact and bilinear.
    ///
    /// - Throws: ``MediaError`` when libswscale cannot do it.
    package init(
        from width: Int,
        _ height: Int,
        pixelFormat: String,
        to newWidth: Int,
        _ newHeight: Int,
        pixelFormat newFormat: String
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
                SWS_BILINEAR | SWS_BITEXACT | SWS_ACCURATE_RND,
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
        self.width = newWidth
        self.height = newHeight
        self.pixelFormat = newFormat
    }

    deinit { sws_freeContext(context) }

    /// Converts a picture; its timestamp goes along.
    ///
    /// - Throws: ``MediaError``.
    package func convert(_ frame: Frame) throws(MediaError) -> Frame {
        let output = try Frame(pixelFormat: pixelFormat, width: width, height: height)
        try check(sws_scale_frame(context, output.pointer, frame.pointer), "sws_scale_frame", pixelFormat)
        output.pts = frame.pts
        return output
    }
}
