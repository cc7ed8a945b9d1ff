/// Names of codecs as `CODECS` has them (RFC 6381, and what each codec's own specification adds).
enum CodecName {
    /// Names of one coding.
    private static let aliases: [String: String] = [
        // Of MPEG audio, an object type in MP4 says the layer by the audio object type, or by itself (RFC 6381, 3.3).
        "mp4a.69": "mp3", "mp4a.6b": "mp3", "mp4a.40.33": "mp3", "mp4a.40.34": "mp3",
        "mp4a.a5": "ac-3", "mp4a.a6": "ec-3", "mp4a.66": "mp4a.40.2", "mp4a.67": "mp4a.40.2",
    ]

    private static let heads: [String: String] = [
        "avc1": "H.264", "avc3": "H.264", "dva1": "H.264", "dvav": "H.264", "hvc1": "HEVC", "hev1": "HEVC",
        "dvh1": "HEVC", "dvhe": "HEVC", "av01": "AV1", "dav1": "AV1", "vp09": "VP9", "vp9": "VP9", "vp08": "VP8",
        "mp4a": "AAC", "ac-3": "AC-3", "ec-3": "E-AC-3", "opus": "Opus", "flac": "FLAC", "alac": "ALAC",
        "mp3": "MPEG audio", "stpp": "TTML", "wvtt": "WebVTT",
    ]

    /// The coding that a name is of; nil for one that is not known.
    static func family(_ name: String) -> String? { heads[head(plain(name))] }

    /// Whether it is of pictures.
    static func isVideo(_ name: String) -> Bool {
        family(name).map { ["H.264", "HEVC", "AV1", "VP9", "VP8"].contains($0) } ?? false
    }

    private static func plain(_ name: String) -> String {
        let name = name.lowercased()
        return aliases[name] ?? name
    }

    private static func head(_ name: String) -> String { String(name.prefix { $0 != "." }) }

    /// Whether what is said is what a track has.
    static func agree(_ said: String, _ track: TrackFacts) -> Bool {
        guard let found = track.parameters else { return true }
        return agree(said, found) && mayReplicate(said, found, track.setup)
    }

    /// Whether frames of AAC may be what HE-AAC adds to: they have half the rate, and one channel where they get two.
    private static func mayReplicate(_ said: String, _ found: String, _ setup: CodingSetup?) -> Bool {
        let said = plain(said)
        guard let setup, !setup.saysBandReplication, plain(found) == "mp4a.40.2",
            ["mp4a.40.5", "mp4a.40.29"].contains(said)
        else { return true }
        // ISO/IEC 14496-3, 4.6.18 and 8.6.4; nobody has sound of 88.2 kHz and more made so.
        return setup.sampleRate ?? 0 < 44_100 && (said == "mp4a.40.5" || setup.channels ?? 1 == 1)
    }

    /// Whether what is said is what was found.
    ///
    /// - Parameters:
    ///   - said: A name of `CODECS`.
    ///   - found: What the set-up of a track says; fields that it does not have are not compared.
    /// - Returns: Whether both name the same coding.
    static func agree(_ said: String, _ found: String) -> Bool {
        let (said, found) = (plain(said), plain(found))
        guard said != found else { return true }
        // AAC's frames do not tell of the extensions that HE-AAC adds.
        if ["mp4a.40.5", "mp4a.40.29"].contains(said), found == "mp4a.40.2" { return true }
        if found.hasPrefix("avc1."), said.hasPrefix("avc3.") { return said.dropFirst(4) == found.dropFirst(4) }
        guard found.contains(".") else { return head(said) == found }
        let pair = (said.split(separator: "."), found.split(separator: "."))
        guard pair.0.first == pair.1.first else { return false }
        switch pair.1.first {
        case "hvc1", "hev1": return hevc(pair.0, pair.1)
        case "av01", "vp09": return pair.0.count >= 4 && zip(pair.0, pair.1).allSatisfy { $0 == $1 }
        default: return false
        }
    }

    /// Zeros at the ends of the constraints and before a number tell nothing.
    private static func hevc(_ said: [Substring], _ found: [Substring]) -> Bool {
        guard said.count >= 4, found.count >= 4, said[1] == found[1], said[3] == found[3],
            UInt32(said[2], radix: 16) == UInt32(found[2], radix: 16)
        else { return false }
        let constraints = [said, found].map { fields in
            var bytes = fields.dropFirst(4).map { UInt8($0, radix: 16) }
            while bytes.last == 0 { bytes.removeLast() }
            return bytes
        }
        return constraints[0] == constraints[1]
    }
}
