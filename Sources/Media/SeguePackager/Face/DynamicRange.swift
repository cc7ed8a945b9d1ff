internal import SegueFFmpeg

/// The dynamic range of copied video, in words.
struct DynamicRange {
    /// The words; nil for standard range.
    let words: String?

    /// Describes a copied track by its declarations and its first keyframe.
    init(_ video: VideoTrack, firstFrame: [UInt8]) {
        guard case .copied = video.source else {
            words = nil
            return
        }
        let base =
            switch video.stream.colour["color_trc"] {
            case "smpte2084": Self.isDynamic(firstFrame) ? "HDR10+" : "HDR10"
            case "arib-std-b67": "HLG"
            default: "SDR"
            }
        guard let vision = video.stream.dolbyVision else {
            words = base == "SDR" ? nil : base == "HDR10+" ? "HDR10+, whose metadata stay in the samples" : base
            return
        }
        let extras = vision.hasEnhancementLayer ? "enhancement layer and metadata" : "metadata"
        if video.dolbyVision == nil {
            words = "\(base), the base layer of \(vision.words), whose \(extras) stay in the samples"
        } else {
            words = vision.hasPlainBase ? "\(vision.words) with the base layer \(base)" : vision.words
        }
    }

    /// The message of SMPTE ST 2094-40 (CTA-861-H, Annex S): country, provider, the provider's code, and application 4.
    private static let mark: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04]

    /// True if a coded frame has dynamic metadata of HDR10+.
    private static func isDynamic(_ frame: [UInt8]) -> Bool {
        guard frame.count > mark.count else { return false }
        return (0..<frame.count - mark.count).contains {
            frame[$0] == mark[0] && frame[$0..<$0 + mark.count].elementsEqual(mark)
        }
    }
}
