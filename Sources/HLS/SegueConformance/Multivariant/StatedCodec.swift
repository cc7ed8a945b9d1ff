/// A parsed entry of `CODECS`.
struct StatedCodec: Sendable {
    /// The parameters in the name.
    enum Coding: Sendable {
        /// H.264 with the profile and level numbers of ISO/IEC 14496-10.
        case h264(profile: Int, level: Int)
        /// HEVC with the profile, tier, and level numbers of ISO/IEC 23008-2.
        case hevc(profile: Int, isMainTier: Bool, level: Int)
        /// Dolby Vision in HEVC.
        case dolbyVision(profile: Int, level: Int)
        /// AV1 with its level index.
        case av1(level: Int)
        /// Another codec, or a name without parameters.
        case other
    }

    /// The name as written.
    let name: String
    let coding: Coding

    /// False if a known codec has a malformed name.
    let isWellFormed: Bool

    let isVideo: Bool

    init(_ name: String) {
        self.name = name
        (coding, isWellFormed, isVideo) = (Coding(name), Self.isWellFormed(name), CodecName.isVideo(name))
    }

    /// The codecs of a comma-separated list.
    static func list(_ text: String) -> [StatedCodec] { items(text).map(StatedCodec.init) }

    /// The items of a comma-separated list, each up to a blank.
    static func items(_ text: String?) -> [String] {
        guard let text else { return [""] }
        return text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { item in
            String(Substring(item.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }))
        }
    }

    /// The form of the codec's name with an example, for messages about a malformed one.
    var expectedForm: String {
        switch name.prefix(4).lowercased() {
        case "avc1", "avc2", "avc3", "avc4": "six hexadecimal digits after the dot, such as avc1.64001f"
        case "hvc1", "hev1": "a name such as hvc1.1.6.L93.B0"
        case "av01": "a name such as av01.0.05M.08"
        case "mp4a": "a name such as mp4a.40.2"
        case "flac": "fLaC"
        case "opus": "Opus"
        default: "a name without spaces"
        }
    }

    private static func isWellFormed(_ name: String) -> Bool {
        switch name.prefix(4).lowercased() {
        case "avc1", "avc2", "avc3", "avc4": isH264(name)
        case "hvc1", "hev1": isHEVC(name)
        case "av01": isAV1(name)
        case "mp4a": isMP4Audio(name)
        case "flac": name == "fLaC"
        case "opus": name == "Opus"
        default: !name.isEmpty && !name.utf8.contains(UInt8(ascii: " "))
        }
    }

    /// Checks the form of ISO/IEC 14496-15, E.2: profile, constraints, and level as six hexadecimal digits.
    private static func isH264(_ name: String) -> Bool {
        var reader = FormReader(name)
        guard reader.takes("avc"), reader.one(of: Letters("1-4")) != nil else { return false }
        return reader.isAtEnd
            || reader.takes(".") && reader.some(of: .hexadecimal, 6...6) != nil && reader.isAtEnd
    }

    /// Checks the form of ISO/IEC 14496-15, E.3: profile, compatibility, tier with level, and constraints.
    private static func isHEVC(_ name: String) -> Bool {
        var reader = FormReader(name)
        guard reader.takes("hvc1") || reader.takes("hev1") else { return false }
        if reader.isAtEnd { return true }
        guard reader.hevc() != nil else { return false }
        for _ in 0..<6 where !reader.isAtEnd {
            guard reader.takes("."), reader.some(of: .hexadecimal, 1...2) != nil else { return false }
        }
        return reader.isAtEnd
    }

    /// Checks the form of AV1 in ISO BMFF, section 5: profile, level with tier, bit depth, and optional fields.
    private static func isAV1(_ name: String) -> Bool {
        var reader = FormReader(name)
        guard reader.takes("av01") else { return false }
        if reader.isAtEnd { return true }
        guard reader.takes("."), reader.one(of: Letters("0-2")) != nil, reader.takes("."),
            reader.some(of: .digits, 2...2) != nil, reader.one(of: Letters("MH")) != nil, reader.takes("."),
            reader.some(of: .digits, 2...2) != nil
        else { return false }
        return reader.isAtEnd || reader.takes(".") && reader.some(of: Letters("0-9.")) != nil && reader.isAtEnd
    }

    /// Checks the form of RFC 6381, 3.3: the object type, and for MPEG-4 audio the audio object type.
    private static func isMP4Audio(_ name: String) -> Bool {
        var reader = FormReader(name)
        guard reader.takes("mp4a") else { return false }
        if reader.isAtEnd { return true }
        guard reader.takes("."), reader.some(of: .hexadecimal, 2...2) != nil else { return false }
        return reader.isAtEnd || reader.takes(".") && reader.some(of: .digits, 1...2) != nil && reader.isAtEnd
    }
}

extension StatedCodec.Coding {
    fileprivate init(_ name: String) {
        var reader = FormReader(name)
        self = .other
        if reader.takes("avc1.") || reader.takes("avc3.") {
            guard let profile = reader.hexadecimal(2...2), reader.hexadecimal(2...2) != nil,
                let level = reader.hexadecimal(2...2), reader.isAtEnd
            else { return }
            self = .h264(profile: profile, level: level)
        } else if reader.takes("hvc1") || reader.takes("hev1") {
            guard let found = reader.hevc() else { return }
            self = .hevc(profile: found.profile, isMainTier: found.isMainTier, level: found.level)
        } else if reader.takes("dvh1.") || reader.takes("dvhe.") {
            guard let profile = reader.number(2...2), reader.takes("."), let level = reader.number(2...2),
                reader.isAtEnd
            else { return }
            self = .dolbyVision(profile: profile, level: level)
        } else if reader.takes("av01.") {
            guard reader.one(of: Letters("0-2")) != nil, reader.takes("."), let level = reader.number(2...2) else {
                return
            }
            self = .av1(level: level)
        }
    }
}

extension FormReader {
    /// Reads the fields after the HEVC sample entry name up to the level; nil if they are malformed.
    fileprivate mutating func hevc() -> (profile: Int, isMainTier: Bool, level: Int)? {
        guard takes(".") else { return nil }
        _ = one(of: Letters("ABC"))
        guard let profile = some(of: .digits).map({ Int($0) ?? .max }), takes("."), some(of: .hexadecimal) != nil,
            takes("."), let tier = one(of: Letters("LH")), let level = some(of: .digits).map({ Int($0) ?? .max })
        else { return nil }
        return (profile, tier == UInt8(ascii: "L"), level)
    }
}
