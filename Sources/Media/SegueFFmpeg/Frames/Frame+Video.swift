internal import CSegueFFmpeg
package import SegueBase

extension Frame {
    /// True if the lines of a frame were taken at two instants, in turn.
    package var isInterlaced: Bool {
        get { pointer.pointee.interlaced_frame != 0 }
        set { pointer.pointee.interlaced_frame = newValue ? 1 : 0 }
    }

    /// The shape of a pixel, width by height; nil where the frame does not say.
    package var sampleAspectRatio: Rational? {
        let aspect = pointer.pointee.sample_aspect_ratio
        return aspect.num > 0 && aspect.den > 0 ? Rational(aspect) : nil
    }

    /// What the numbers in the frame mean, as far as it says so, in libav's words.
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

    /// True if a pixel has red, green and blue (or is looked up in a palette), and not luma and chroma.
    package var isRGB: Bool {
        guard let description = av_pix_fmt_desc_get(AVPixelFormat(rawValue: pointer.pointee.format)) else {
            return false
        }
        let flags = description.pointee.flags
        return flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
    }
}
