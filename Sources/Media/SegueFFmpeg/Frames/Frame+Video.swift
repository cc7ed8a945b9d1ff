internal import CSegueFFmpeg
package import SegueBase

extension Frame {
    package var isInterlaced: Bool {
        get { pointer.pointee.interlaced_frame != 0 }
        set { pointer.pointee.interlaced_frame = newValue ? 1 : 0 }
    }

    /// The pixel aspect ratio; nil if unspecified.
    package var sampleAspectRatio: Rational? {
        let aspect = pointer.pointee.sample_aspect_ratio
        return aspect.num > 0 && aspect.den > 0 ? Rational(aspect) : nil
    }

    /// The color properties, in libav's terms.
    ///
    /// The keys are those of ``StreamInfo/colour``: `color_range`, `color_primaries`, `color_trc`, `colorspace`.
    package var colour: [String: String] {
        StreamInfo.colour(
            range: pointer.pointee.color_range,
            primaries: pointer.pointee.color_primaries,
            transfer: pointer.pointee.color_trc,
            matrix: pointer.pointee.colorspace
        )
    }

    /// Returns a writable copy of a video frame.
    package func copied() throws(MediaError) -> Frame {
        let other = try Frame(pixelFormat: pixelFormat ?? "", width: width, height: height)
        try check(av_frame_copy(other.pointer, pointer), call: "av_frame_copy", file: "frame")
        try check(av_frame_copy_props(other.pointer, pointer), call: "av_frame_copy_props", file: "frame")
        return other
    }

    /// True for RGB or palette formats.
    package var isRGB: Bool {
        guard let description = av_pix_fmt_desc_get(AVPixelFormat(rawValue: pointer.pointee.format)) else {
            return false
        }
        let flags = description.pointee.flags
        return flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
    }
}
