internal import SegueBase
package import SegueData

extension DeviceProfile {
    /// Reads a profile from a file.
    package init(contentsOfFile path: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(ofFileAt: path))
    }

    /// Parses a profile.
    ///
    /// - Parameters:
    ///   - yaml: The text, with the schema of `Harness/devices/README.md`.
    ///   - file: The file name for errors.
    /// - Throws: ``HarnessError`` with file, line, and key.
    package init(yaml: String, file: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(of: yaml, file: file))
    }

    private init(_ fields: HarnessFields) throws(HarnessError) {
        var root = fields
        name = try root.needed("name", DeviceProfile.keys)
        guard !name.isEmpty, name.utf8.allSatisfy({ DeviceProfile.isPlain($0) }) else {
            throw root.error(
                "name",
                "is \(name); use lowercase letters, digits, and hyphens, because the name is part of URLs"
            )
        }
        title = try root.needed("title", DeviceProfile.keys)
        var agents = try root.section("user-agents")
        userAgents = try agents.texts("value") ?? []
        if let empty = userAgents.first(where: { $0.count(where: { $0 != "*" }) < 4 }) {
            throw agents.error("value", "has '\(empty)', which matches too many clients; use at least four letters")
        }
        try agents.finishWithSource()
        if root.has("systems") { systems = try root.systems("systems") }
        if root.has("multitasking") {
            var section = try root.section("multitasking")
            guard let flag = try section.flag("value") else { throw section.error("value", "is missing") }
            hasMultitasking = flag
            try section.finishWithSource()
        }
        var containers = try root.section("containers")
        self.containers = try containers.containers("value")
        try containers.finishWithSource()
        if root.has("orientation") { orientation = try root.orientation("orientation") }
        var video = try root.section("video")
        h264 = try video.video("h264", profiles: [.baseline, .main, .high, .any])
        hevc = video.has("hevc") ? try video.video("hevc", profiles: [.main, .main10, .any]) : nil
        try video.finish()
        if hevc != nil, !self.containers.contains(.fmp4) {
            throw root.error("containers", "does not list fmp4, which HEVC requires")
        }
        var audioSection = try root.section("sound")
        audio = [:]
        for codec in AudioCodec.allCases where audioSection.has(codec.rawValue) {
            audio[codec] = try audioSection.audio(codec, among: self.containers)
        }
        guard let aac = audio[.aacLC] else { throw audioSection.error("aac-lc", "is missing") }
        if let lacking = self.containers.first(where: { !aac.containers.contains($0) }) {
            throw audioSection.error(
                "aac-lc",
                "does not list \(lacking.rawValue); every container of the device needs aac-lc as the fallback for audio"
            )
        }
        try audioSection.finish()
        try root.finish()
    }

    private static let keys = [
        "name", "title", "user-agents", "systems", "multitasking", "containers", "orientation", "video", "sound",
    ]

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
}

extension DeviceProfile.AudioCodec {
    /// The containers that can carry the codec.
    var writable: [SegmentContainer] {
        switch self {
        case .aacLC, .heAAC, .mp3, .ac3, .eac3: SegmentContainer.allCases
        case .xheAAC, .flac, .alac, .opus: [.fmp4]
        }
    }
}

extension HarnessFields {
    /// Reads a required section.
    fileprivate mutating func section(_ key: String) throws(HarnessError) -> HarnessFields {
        guard let section = try fields(key) else { throw error(key, "is missing") }
        return section
    }

    /// Reads a required text; if it is missing, reports a misspelled key first.
    fileprivate mutating func needed(_ key: String, _ keys: [String]) throws(HarnessError) -> String {
        guard let text = try text(key) else { throw missing(key, among: keys) }
        return text
    }

    private static var videoKeys: [String] {
        ["profile", "level", "size", "frame-rate", "bit-rate", "hdr", "dolby-vision", "source"]
    }

    /// Reads the source of the section and requires that no keys remain.
    fileprivate mutating func finishWithSource() throws(HarnessError) {
        _ = try requiredText("source")
        try finish()
    }

    /// Reads the versions of systems, such as `iOS 3.0 to 3.1.3`.
    fileprivate mutating func systems(_ key: String) throws(HarnessError) -> [SystemRange] {
        var section = try section(key)
        guard let texts = try section.texts("value"), !texts.isEmpty else {
            throw section.error("value", "must be a list of versions such as iOS 3.0 to 3.1.3")
        }
        var ranges: [SystemRange] = []
        for text in texts {
            guard let range = SystemRange(text) else {
                throw section.error("value", "has \(text), must be like iOS 3.0 to 3.1.3 or iOS 10.0 or later")
            }
            ranges.append(range)
        }
        try section.finishWithSource()
        return ranges
    }

    /// Reads the transforms that a player applies.
    fileprivate mutating func orientation(_ key: String) throws(HarnessError) -> DeviceProfile.Orientation {
        var section = try section(key)
        let names = DeviceProfile.Orientation.allCases.map(\.rawValue)
        let name = try section.needed("value", ["value", "source"])
        guard let value = DeviceProfile.Orientation(rawValue: name) else {
            throw section.error("value", UnknownName(name, among: names).description)
        }
        try section.finishWithSource()
        return value
    }

    fileprivate mutating func containers(_ key: String) throws(HarnessError) -> [SegmentContainer] {
        guard let texts = try texts(key), !texts.isEmpty else { throw error(key, "must be a list of containers") }
        var result: [SegmentContainer] = []
        for text in texts {
            guard let container = SegmentContainer(rawValue: text) else {
                throw error(key, UnknownName(text, among: SegmentContainer.allCases.map(\.rawValue)).description)
            }
            guard !result.contains(container) else { throw error(key, "lists \(text) twice") }
            result.append(container)
        }
        return result
    }

    fileprivate mutating func video(
        _ key: String,
        profiles: [DeviceProfile.Profile]
    ) throws(HarnessError) -> DeviceProfile.Video {
        var section = try section(key)
        var video = DeviceProfile.Video()
        let profile = try section.needed("profile", HarnessFields.videoKeys)
        guard let known = profiles.first(where: { $0.rawValue == profile }) else {
            throw section.error("profile", UnknownName(profile, among: profiles.map(\.rawValue)).description)
        }
        video.profile = known
        if let level = try section.limit("level", like: "3.1", { $0 > .zero && $0 < Rational(10) }) {
            video.level = Int((level * Rational(10)).rounded(scale: 1))
        }
        (video.longSide, video.shortSide) = try section.size("size")
        video.frameRate = try section.limit("frame-rate", like: "30 or 30000/1001", { $0 > .zero })
        video.bitsPerSecond = try section.bitRate("bit-rate")
        guard let hdr = try section.flag("hdr") else { throw section.missing("hdr", among: HarnessFields.videoKeys) }
        video.showsHDR = hdr
        if section.has("dolby-vision") {
            video.dolbyVision = try section.integers("dolby-vision") ?? []
            if key != "hevc" { throw section.error("dolby-vision", "is supported in hevc only") }
        }
        try section.finishWithSource()
        return video
    }

    /// Reads a number; nil for `any`.
    private mutating func limit(
        _ key: String,
        like example: String,
        _ isRight: (Rational) -> Bool
    ) throws(HarnessError) -> Rational? {
        let text = try needed(key, HarnessFields.videoKeys)
        if text == "any" { return nil }
        guard let number = Rational(decimal: text), isRight(number) else {
            throw error(key, "is \(text); use any or a number such as \(example)")
        }
        return number
    }

    private mutating func size(_ key: String) throws(HarnessError) -> (long: Int?, short: Int?) {
        let text = try needed(key, HarnessFields.videoKeys)
        if text == "any" { return (nil, nil) }
        let sides = text.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, text.count(where: { $0 == "x" }) == 1, sides.allSatisfy({ (16...16384).contains($0) })
        else { throw error(key, "is \(text); use any or a size such as 1280x720") }
        return (sides.max(), sides.min())
    }

    private mutating func bitRate(_ key: String) throws(HarnessError) -> Int? {
        let text = try needed(key, HarnessFields.videoKeys)
        if text == "any" { return nil }
        let parts = text.split(separator: " ")
        let units: [Substring: Int64] = ["kbit/s": 1000, "Mbit/s": 1_000_000]
        guard parts.count == 2, let number = Rational(decimal: String(parts[0])), let unit = units[parts[1]],
            number > .zero, number < Rational(1_000_000)
        else { throw error(key, "is \(text); use any or a rate such as 1.5 Mbit/s") }
        return Int((number * Rational(unit)).rounded(scale: 1))
    }

    fileprivate mutating func audio(
        _ codec: DeviceProfile.AudioCodec,
        among known: [SegmentContainer]
    ) throws(HarnessError) -> DeviceProfile.Audio {
        var section = try section(codec.rawValue)
        let containers = try section.containers("containers")
        for container in containers {
            guard codec.writable.contains(container) else {
                throw section.error("containers", "\(codec.rawValue) requires fmp4")
            }
            guard known.contains(container) else {
                throw section.error("containers", "the device's containers do not include \(container.rawValue)")
            }
        }
        guard let channels = try section.integer("channels", in: 1...64) else {
            throw section.error("channels", "is missing")
        }
        guard let rate = try section.integer("sample-rate", in: 8000...768_000) else {
            throw section.error("sample-rate", "is missing")
        }
        try section.finishWithSource()
        return DeviceProfile.Audio(containers: containers, channels: channels, sampleRate: rate)
    }
}
