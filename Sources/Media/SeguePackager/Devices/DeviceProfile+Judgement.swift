internal import SegueBase
internal import SegueFFmpeg

extension DeviceProfile {
    /// Why frames cannot be copied for the device, in words; nil when they can.
    ///
    /// - Parameters:
    ///   - video: The frames as they would be copied.
    ///   - index: Their packets.
    ///   - container: What they would go into.
    /// - Returns: The reason, the gravest first.
    func obstacle(toCopying video: VideoTrack, _ index: StreamIndex, in container: SegmentContainer?) -> String? {
        if isAny { return nil }
        let name = video.isHEVC ? "HEVC" : "H.264"
        guard let taken = video.isHEVC ? hevc : h264 else { return "\(title) takes no HEVC" }
        if video.isHEVC, container == .ts { return "HEVC is delivered in fmp4 segments only" }
        let shape = VideoShape(video, index)
        if !taken.profile.takes(shape) {
            return "\(title) takes \(name) up to profile \(taken.profile.rawValue), and this is \(shape.profileName)"
        }
        if let level = taken.level, let own = shape.level, own > level {
            return "\(title) takes \(name) up to level \(Self.tenth(level)), and this has level \(Self.tenth(own))"
        }
        if !taken.showsHDR, let transfer = shape.highDynamicRange {
            return "\(title) shows no high dynamic range, and this is \(transfer)"
        }
        let (long, short) = (max(shape.width, shape.height), min(shape.width, shape.height))
        if long > taken.longSide ?? .max || short > taken.shortSide ?? .max {
            return "\(title) takes \(name) up to \(taken.longSide ?? long)x\(taken.shortSide ?? short) pixels, "
                + "and this has \(shape.width)x\(shape.height)"
        }
        // A little more on average comes of rounded timestamps.
        if let greatest = taken.frameRate, let rate = video.averageFrameRate, rate > greatest * Rational(101, 100) {
            return "\(title) takes up to \(Self.short(greatest)) pictures a second, and this has \(Self.short(rate))"
        }
        if let greatest = taken.bitsPerSecond {
            let peak = video.peakBitRate(index)
            if peak > greatest {
                return "\(title) takes up to \(greatest / 1000) kbit/s of \(name), and this has \(peak / 1000)"
            }
        }
        return nil
    }

    /// Why audio cannot be copied for the device, in words; nil when it can.
    ///
    /// - Parameters:
    ///   - coding: The audio's coding.
    ///   - stream: The stream it is in.
    ///   - container: What it would go into; nil for whichever will do.
    /// - Returns: The reason.
    func obstacle(toCopying coding: CopiedCoding, _ stream: StreamInfo, in container: SegmentContainer?) -> String? {
        let codec = coding.soundCodec(stream)
        guard let taken = sound[codec] else {
            return "\(isAny ? "not every player takes" : "\(title) takes no") \(codec)"
        }
        if let container, !taken.containers.contains(container) {
            return codec.writable.contains(container)
                ? "\(title) takes no \(codec) in \(container.rawValue) segments"
                : "\(codec) is delivered in fmp4 segments only"
        }
        if stream.channels > taken.channels {
            return "\(title) takes \(codec) of up to \(taken.channels) channels, and this has \(stream.channels)"
        }
        if stream.sampleRate > taken.sampleRate {
            return "\(title) takes \(codec) of up to \(taken.sampleRate) Hz, and this has \(stream.sampleRate)"
        }
        return nil
    }

    private static func tenth(_ number: Int) -> String { "\(number / 10).\(number % 10)" }

    private static func short(_ rate: Rational) -> String {
        let hundredths = rate.rounded(scale: 100)
        return hundredths % 100 == 0 ? "\(hundredths / 100)" : "\(Double(hundredths) / 100)"
    }
}

extension DeviceProfile.AudioCodec: CustomStringConvertible {
    package var description: String {
        switch self {
        case .aacLC: "AAC-LC"
        case .heAAC: "HE-AAC"
        case .mp3: "MP3"
        case .ac3: "AC-3"
        case .eac3: "E-AC-3"
        case .flac: "FLAC"
        case .alac: "ALAC"
        case .opus: "Opus"
        }
    }
}

extension CopiedCoding {
    /// The codec as devices know it.
    func soundCodec(_ stream: StreamInfo) -> DeviceProfile.AudioCodec {
        switch codec {
        case .aac(let configuration): configuration.isHighEfficiency(stream) ? .heAAC : .aacLC
        case .mp3: .mp3
        case .ac3: .ac3
        case .eac3: .eac3
        case .flac: .flac
        case .alac: .alac
        case .opus: .opus
        }
    }
}

extension AACConfiguration {
    /// True if SBR is in it, signalled in the configuration or found by libav.
    func isHighEfficiency(_ stream: StreamInfo) -> Bool { hasSBR || hasPS || [4, 28].contains(stream.profile) }
}

/// What a device has to know of frames: what their parameter sets ask of a decoder.
private struct VideoShape {
    let isHEVC: Bool
    /// `profile_idc`, the maximum where it changes on the way; nil where nothing says it.
    let profile: Int?
    /// True if a decoder of the simplest profile can decode them all the same.
    let isConstrained: Bool
    /// Ten times the level.
    let level: Int?
    let width: Int
    let height: Int
    /// What makes them high in dynamic range.
    let highDynamicRange: String?

    init(_ video: VideoTrack, _ index: StreamIndex) {
        isHEVC = video.isHEVC
        (width, height) = (video.stream.width, video.stream.height)
        let later = index.extradataChanges.map {
            VideoConfiguration(codec: video.configuration.codec, extradata: $0.bytes)
        }
        let strings = ([video.configuration] + later).compactMap(\.codecString)
        if isHEVC {
            let parts = strings.map { $0.split(separator: ".") }.filter { $0.count >= 4 }
            profile = parts.compactMap { Int($0[1].drop { !$0.isNumber }) }.max() ?? nil
            level = parts.compactMap { Int($0[3].dropFirst()).map { $0 / 3 } }.max() ?? nil
            isConstrained = false
        } else {
            let sets = strings.compactMap { Int($0.dropFirst(5), radix: 16) }
            profile = sets.map { $0 >> 16 }.max()
            level = sets.map { $0 & 255 }.max()
            isConstrained = sets.allSatisfy { $0 >> 15 & 1 == 1 }
        }
        switch video.stream.colour["color_trc"] {
        case "smpte2084": highDynamicRange = "PQ"
        case "arib-std-b67": highDynamicRange = "HLG"
        default: highDynamicRange = nil
        }
    }

    /// The profile in words.
    var profileName: String {
        guard let profile else { return "of an unknown profile" }
        let names =
            isHEVC
            ? [1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "of a range extension's profile"]
            : [
                66: "Baseline", 77: "Main", 88: "Extended", 100: "High", 110: "High 10", 122: "High 4:2:2",
                244: "High 4:4:4",
            ]
        return names[profile] ?? "of profile \(profile)"
    }
}

extension DeviceProfile.Profile {
    /// True if frames of a shape keep within the profile; those that do not say theirs are taken.
    fileprivate func takes(_ shape: VideoShape) -> Bool {
        guard self != .any, let profile = shape.profile else { return true }
        if shape.isHEVC { return profile <= (self == .main10 ? 2 : 1) && profile > 0 }
        switch self {
        case .baseline: return profile == 66 || profile == 77 && shape.isConstrained
        case .main: return [66, 77].contains(profile)
        default: return [66, 77, 100].contains(profile)
        }
    }
}

extension VideoTrack {
    /// The maximum number of bits per second over any stretch as long as a segment.
    fileprivate func peakBitRate(_ index: StreamIndex) -> Int {
        let window = (CutList.target * Rational(timescale)).rounded(scale: 1)
        var (first, sum, most) = (0, Int64(0), Int64(0))
        for place in dts.indices {
            sum += Int64(index.packets[firstPacket + place].size)
            while dts[place] - dts[first] >= window {
                sum -= Int64(index.packets[firstPacket + first].size)
                first += 1
            }
            most = max(most, sum)
        }
        // What is shorter than a segment is held to its own length.
        let length = min(window, max(1, decodeEnd(of: dts.indices) - (dts.first ?? 0)))
        return Int(clamping: Int128(most) * 8 * Int128(timescale) / Int128(length))
    }
}
