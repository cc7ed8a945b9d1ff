/// Codec names in the form of `CODECS` (RFC 6381 and the specifications of the codecs).
enum CodecName {
    /// Different names of the same codec.
    private static let aliases: [String: String] = [
        // MPEG audio has both object types and audio object types (RFC 6381, 3.3).
        "mp4a.69": "mp3", "mp4a.6b": "mp3", "mp4a.40.33": "mp3", "mp4a.40.34": "mp3",
        "mp4a.a5": "ac-3", "mp4a.a6": "ec-3", "mp4a.66": "mp4a.40.2", "mp4a.67": "mp4a.40.2",
    ]

    private static let heads: [String: String] = [
        "avc1": "H.264", "avc3": "H.264", "dva1": "H.264", "dvav": "H.264", "hvc1": "HEVC", "hev1": "HEVC",
        "dvh1": "HEVC", "dvhe": "HEVC", "av01": "AV1", "dav1": "AV1", "vp09": "VP9", "vp9": "VP9", "vp08": "VP8",
        "mp4a": "AAC", "ac-3": "AC-3", "ec-3": "E-AC-3", "opus": "Opus", "flac": "FLAC", "alac": "ALAC",
        "mp3": "MPEG audio", "stpp": "TTML", "wvtt": "WebVTT",
    ]

    /// Returns the codec family of a name; nil for an unknown name.
    static func family(_ name: String) -> String? { heads[head(plain(name))] }

    /// Returns true for a video codec.
    static func isVideo(_ name: String) -> Bool {
        family(name).map { ["H.264", "HEVC", "AV1", "VP9", "VP8"].contains($0) } ?? false
    }

    private static func plain(_ name: String) -> String {
        let name = name.lowercased()
        return aliases[name] ?? name
    }

    private static func head(_ name: String) -> String { String(name.prefix { $0 != "." }) }

    /// Returns true if a stated name matches a track.
    static func agree(_ stated: String, _ track: TrackFacts) -> Bool {
        guard let found = track.parameters else { return true }
        return agree(stated, found) && mayReplicate(stated, found, setup: track.setup)
    }

    /// Returns true if AAC frames can be the core of HE-AAC, which has half the sample rate, and one channel with PS.
    private static func mayReplicate(_ stated: String, _ found: String, setup: CodingSetup?) -> Bool {
        let name = plain(stated)
        guard let setup, !setup.saysBandReplication, plain(found) == "mp4a.40.2",
            ["mp4a.40.5", "mp4a.40.29"].contains(name)
        else { return true }
        // ISO/IEC 14496-3, 4.6.18 and 8.6.4; HE-AAC at 88.2 kHz and above does not occur.
        return setup.sampleRate ?? 0 < 44_100 && (name == "mp4a.40.5" || setup.channels ?? 1 == 1)
    }

    /// Returns true if a name of `CODECS` matches the name from a coding setup.
    ///
    /// Fields that the setup lacks are ignored.
    static func agree(_ stated: String, _ found: String) -> Bool {
        let (stated, found) = (plain(stated), plain(found))
        guard stated != found else { return true }
        // AAC frames do not signal the extensions of HE-AAC.
        if ["mp4a.40.5", "mp4a.40.29"].contains(stated), found == "mp4a.40.2" { return true }
        if found.hasPrefix("avc1."), stated.hasPrefix("avc3.") { return stated.dropFirst(4) == found.dropFirst(4) }
        guard found.contains(".") else { return head(stated) == found }
        let pair = (stated.split(separator: "."), found.split(separator: "."))
        guard pair.0.first == pair.1.first else { return false }
        switch pair.1.first {
        case "hvc1", "hev1": return hevc(pair.0, pair.1)
        case "av01", "vp09": return pair.0.count >= 4 && zip(pair.0, pair.1).allSatisfy { $0 == $1 }
        default: return false
        }
    }

    /// Compares HEVC names without leading zeros and trailing zero constraints.
    private static func hevc(_ stated: [Substring], _ found: [Substring]) -> Bool {
        guard stated.count >= 4, found.count >= 4, stated[1] == found[1], stated[3] == found[3],
            UInt32(stated[2], radix: 16) == UInt32(found[2], radix: 16)
        else { return false }
        let constraints = [stated, found].map { fields in
            var bytes = fields.dropFirst(4).map { UInt8($0, radix: 16) }
            while bytes.last == 0 { bytes.removeLast() }
            return bytes
        }
        return constraints[0] == constraints[1]
    }
}
