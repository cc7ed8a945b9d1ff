internal import CSegueFFmpeg

/// The configuration of a Dolby Vision stream (`dvcC` or `dvvC`).
package struct DolbyVision: Sendable, Hashable, Codable {
    package let profile: Int
    package let level: Int
    /// The standard of the base layer alone: 1 is HDR10, 2 SDR, 4 HLG, 6 UHD Blu-ray; 0 is none.
    package let compatibility: Int
    package let hasEnhancementLayer: Bool

    package init(profile: Int, level: Int, compatibility: Int, hasEnhancementLayer: Bool = false) {
        self.profile = profile
        self.level = level
        self.compatibility = compatibility
        self.hasEnhancementLayer = hasEnhancementLayer
    }

    /// True if the base layer can be shown without Dolby Vision.
    package var hasPlainBase: Bool { compatibility != 0 || profile == 7 }

    /// The codec in the form of `CODECS`, such as `dvh1.05.06`.
    package var codecString: String {
        "dvh1." + [profile, level].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ".")
    }

    /// The brand in `SUPPLEMENTAL-CODECS` and `ftyp` of a stream with a plain base layer; nil if none is defined.
    package var brand: String? { profile == 8 ? [1: "db1p", 2: "db2g", 4: "db4h"][compatibility] : nil }

    /// The name, such as `Dolby Vision 8.4`.
    package var words: String { "Dolby Vision \(profile)" + (profile == 8 ? ".\(compatibility)" : "") }
}

extension DolbyVision {
    /// Reads libav's record of a stream; nil if there is none.
    init?(_ stream: UnsafePointer<AVStream>) {
        var size = 0
        guard let bytes = av_stream_get_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size),
            size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
        else { return nil }
        let record = UnsafeRawPointer(bytes).loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
        self.init(
            profile: Int(record.dv_profile),
            level: Int(record.dv_level),
            compatibility: Int(record.dv_bl_signal_compatibility_id),
            hasEnhancementLayer: record.el_present_flag != 0
        )
    }

    /// Adds libav's record to a stream.
    func add(to stream: UnsafeMutablePointer<AVStream>) {
        let size = MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
        guard let bytes = av_stream_new_side_data(stream, AV_PKT_DATA_DOVI_CONF, size) else { return }
        let record = AVDOVIDecoderConfigurationRecord(
            dv_version_major: 1,
            dv_version_minor: 0,
            dv_profile: UInt8(clamping: profile),
            dv_level: UInt8(clamping: level),
            rpu_present_flag: 1,
            el_present_flag: hasEnhancementLayer ? 1 : 0,
            bl_present_flag: 1,
            dv_bl_signal_compatibility_id: UInt8(clamping: compatibility)
        )
        UnsafeMutableRawPointer(bytes).storeBytes(of: record, as: AVDOVIDecoderConfigurationRecord.self)
    }
}
