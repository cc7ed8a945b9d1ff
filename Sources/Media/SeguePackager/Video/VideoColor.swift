/// What the numbers in frames mean, before and after they are transcoded; in libav's words.
///
/// Delivered frames always say it, as players guess differently where nothing is said. Luma and chroma of high
/// definition (BT.709) and of standard definition (BT.601) stay as they are; all else becomes BT.709.
struct VideoColor: Sendable, Hashable {
    /// Where red, green and blue lie.
    let primaries: String
    /// How light becomes numbers.
    let transfer: String
    /// How red, green and blue become luma and chroma.
    let matrix: String

    /// BT.709, as in high definition.
    static let highDefinition = VideoColor(primaries: "bt709", transfer: "bt709", matrix: "bt709")

    /// What frames that do not say it are taken to be, by their size: the practice of players.
    static func assumed(width: Int, height: Int) -> VideoColor {
        guard max(width, height) < 1280, min(width, height) <= 576 else { return highDefinition }
        let isPAL = height == 576 || height == 288
        return VideoColor(
            primaries: isPAL ? "bt470bg" : "smpte170m",
            transfer: "smpte170m",
            matrix: isPAL ? "bt470bg" : "smpte170m"
        )
    }

    /// Matrices that players take.
    private static let playable: Set = ["bt709", "smpte170m", "bt470bg"]

    /// The color of a source.
    struct Source: Sendable, Hashable {
        /// As the source says it, the gaps filled in by its size.
        let colour: VideoColor
        /// True if it is wider than a screen of high definition can show: PQ or HLG.
        var isHighDynamicRange: Bool { ["smpte2084", "arib-std-b67"].contains(colour.transfer) }
        /// True if it has the wide primaries of BT.2020, which have to be brought to BT.709's.
        var isWide: Bool { colour.primaries == "bt2020" || colour.matrix.hasPrefix("bt2020") }

        /// Reads what is said.
        ///
        /// - Parameters:
        ///   - said: libav's words, by the names of its options (``StreamInfo/colour``).
        ///   - isRGB: True if pixels have red, green and blue and no matrix.
        ///   - width: The frame's width, in pixels.
        ///   - height: The frame's height, in pixels.
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

        /// What is delivered.
        var delivered: VideoColor {
            if isHighDynamicRange || isWide { return .highDefinition }
            return VideoColor(
                primaries: colour.primaries,
                transfer: colour.transfer,
                matrix: VideoColor.playable.contains(colour.matrix) ? colour.matrix : "bt709"
            )
        }
    }

    /// libav's options for an encoder.
    var options: [String: String] {
        ["color_primaries": primaries, "color_trc": transfer, "colorspace": matrix, "color_range": "tv"]
    }
}
