/// The color properties before and after transcoding, in libav's terms.
///
/// Delivered video always declares them, because players' defaults differ. BT.709 and BT.601 are kept; everything else
/// is converted to BT.709.
struct VideoColor: Sendable, Hashable {
    /// The color primaries.
    let primaries: String
    /// The transfer function.
    let transfer: String
    /// The matrix coefficients.
    let matrix: String

    static let highDefinition = VideoColor(primaries: "bt709", transfer: "bt709", matrix: "bt709")

    /// The defaults for undeclared properties by size, as in players.
    static func assumed(width: Int, height: Int) -> VideoColor {
        guard max(width, height) < 1280, min(width, height) <= 576 else { return highDefinition }
        let isPAL = height == 576 || height == 288
        return VideoColor(
            primaries: isPAL ? "bt470bg" : "smpte170m",
            transfer: "smpte170m",
            matrix: isPAL ? "bt470bg" : "smpte170m"
        )
    }

    /// The matrices that players support.
    private static let playable: Set = ["bt709", "smpte170m", "bt470bg"]

    /// The color properties of a source.
    struct Source: Sendable, Hashable {
        /// The declared properties, completed with defaults by size.
        let colour: VideoColor
        /// True for HDR transfer functions: PQ or HLG.
        var isHighDynamicRange: Bool { ["smpte2084", "arib-std-b67"].contains(colour.transfer) }
        /// True for BT.2020 primaries, which are converted to BT.709.
        var isWide: Bool { colour.primaries == "bt2020" || colour.matrix.hasPrefix("bt2020") }

        /// Creates the properties from declared options (``StreamInfo/colour``), RGB layout, and size.
        init(said: [String: String], isRGB: Bool, width: Int, height: Int) {
            let assumed = VideoColor.assumed(width: width, height: height)
            let isWide = said["color_primaries"] == "bt2020"
            let isGiven = !isRGB && said["colorspace"] != "gbr"
            colour = VideoColor(
                primaries: said["color_primaries"] ?? assumed.primaries,
                transfer: said["color_trc"] ?? assumed.transfer,
                matrix: (isGiven ? said["colorspace"] : nil) ?? (isWide ? "bt2020nc" : assumed.matrix)
            )
        }

        /// The delivered properties.
        var delivered: VideoColor {
            if isHighDynamicRange || isWide { return .highDefinition }
            return VideoColor(
                primaries: colour.primaries,
                transfer: colour.transfer,
                matrix: VideoColor.playable.contains(colour.matrix) ? colour.matrix : "bt709"
            )
        }
    }

    /// The encoder options.
    var options: [String: String] {
        ["color_primaries": primaries, "color_trc": transfer, "colorspace": matrix, "color_range": "tv"]
    }
}
