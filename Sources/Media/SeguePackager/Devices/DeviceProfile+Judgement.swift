internal import SegueBase
internal import SegueFFmpeg

extension DeviceProfile {
    /// Explains why video cannot be copied for the device, the most important reason first; nil if it can.
    func obstacle(toCopying video: VideoTrack, _ index: StreamIndex, in container: SegmentContainer?) -> String? {
        if let words = obstacle(toTurning: video.stream.turn, in: container) { return words }
        if isAny { return nil }
        let name = video.isHEVC ? "HEVC" : "H.264"
        guard let taken = video.isHEVC ? hevc : h264 else { return "\(title) does not support HEVC" }
        if video.isHEVC, container == .ts { return "HEVC requires fmp4 segments" }
        let shape = VideoShape(video, index)
        if !taken.profile.takes(shape) {
            return
                "\(title) supports \(name) up to profile \(taken.profile.rawValue); the stream is \(shape.profileName)"
        }
        if let level = taken.level, let own = shape.level, own > level {
            return "\(title) supports \(name) up to level \(Self.tenth(level)); the stream has level \(Self.tenth(own))"
        }
        if !taken.showsHDR, let transfer = shape.highDynamicRange {
            return "\(title) does not support HDR; the stream is \(transfer)"
        }
        let (long, short) = (max(shape.width, shape.height), min(shape.width, shape.height))
        if long > taken.longSide ?? .max || short > taken.shortSide ?? .max {
            return "\(title) supports \(name) up to \(taken.longSide ?? long)x\(taken.shortSide ?? short) pixels; "
                + "the stream has \(shape.width)x\(shape.height)"
        }
        // Rounded timestamps may raise the average slightly.
        if let greatest = taken.frameRate, let rate = VideoFrameRates(video).average,
            rate > greatest * Rational(101, 100)
        {
            return
                "\(title) supports up to \(Self.short(greatest)) frames per second; the stream has \(Self.short(rate))"
        }
        if let greatest = taken.bitsPerSecond {
            let peak = video.peakBitRate(index)
            if peak > greatest {
                return
                    "\(title) supports up to \(greatest / 1000) kbit/s of \(name); the stream peaks at \(peak / 1000) kbit/s"
            }
        }
        return nil
    }

    /// Explains why the player does not show a copy upright; nil if it does.
    private func obstacle(toTurning turn: VideoRotation, in container: SegmentContainer?) -> String? {
        if turn.isUpright || (container == .fmp4 && applies(turn)) { return nil }
        let words = "the video must be \(turn.words) for display"
        if isAny { return "\(words), which not every player does" }
        return container == .ts
            ? "\(words), which ts segments cannot declare" : "\(words), which \(title) does not do in HLS"
    }

    /// The Dolby Vision configuration that copied video declares; nil if only the base layer is used.
    func dolbyVision(of stream: StreamInfo) -> DolbyVision? {
        guard let vision = stream.dolbyVision, hevc?.dolbyVision.contains(vision.profile) == true,
            !vision.hasPlainBase || vision.brand != nil
        else { return nil }
        return vision
    }

    /// Explains why Dolby Vision without a plain base layer cannot be delivered; nil for other video.
    func obstacle(toDolbyVisionOf stream: StreamInfo) -> String? {
        guard let vision = stream.dolbyVision, !vision.hasPlainBase, dolbyVision(of: stream) == nil else { return nil }
        let lack = isAny ? "not every player supports" : "\(title) does not support"
        return "the video is \(vision.words), which \(lack); it has no base layer for other players, and libav cannot "
            + "convert its colors"
    }

    /// True if the player applies a transform of video in fragmented MP4.
    func applies(_ turn: VideoRotation) -> Bool {
        switch orientation {
        case .ignored: turn.isUpright
        case .rotation: !turn.isMirrored
        case .rotationAndMirror: true
        }
    }

    /// Explains why audio cannot be copied for the device into a container (nil for any); nil if it can.
    func obstacle(toCopying coding: CopiedCoding, _ stream: StreamInfo, in container: SegmentContainer?) -> String? {
        let codec = coding.audioCodec(stream)
        guard let taken = audio[codec] else {
            return "\(isAny ? "not every player supports" : "\(title) does not support") \(codec)"
        }
        if let container, !taken.containers.contains(container) {
            return codec.writable.contains(container)
                ? "\(title) does not support \(codec) in \(container.rawValue) segments"
                : "\(codec) requires fmp4 segments"
        }
        if stream.channels > taken.channels {
            return "\(title) supports \(codec) with up to \(taken.channels) channels; the stream has \(stream.channels)"
        }
        if stream.sampleRate > taken.sampleRate {
            return
                "\(title) supports \(codec) with up to \(taken.sampleRate) Hz; the stream has \(stream.sampleRate) Hz"
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
        case .xheAAC: "xHE-AAC"
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
    /// The stream's codec in the device's terms.
    func audioCodec(_ stream: StreamInfo) -> DeviceProfile.AudioCodec {
        switch codec {
        case .aac(let configuration):
            configuration.usacFrame != nil ? .xheAAC : configuration.isHighEfficiency(stream) ? .heAAC : .aacLC
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
    /// True if the stream has SBR, either signaled in the configuration or detected by libav.
    func isHighEfficiency(_ stream: StreamInfo) -> Bool { hasSBR || hasPS || [4, 28].contains(stream.profile) }
}

/// The decoder requirements declared in a video track's parameter sets.
private struct VideoShape {
    let isHEVC: Bool
    /// `profile_idc`, the maximum if it changes; nil if unknown.
    let profile: Int?
    /// True if decoders of the simplest profile support the stream.
    let isConstrained: Bool
    /// Ten times the level.
    let level: Int?
    let width: Int
    let height: Int
    /// The HDR transfer function; nil for SDR.
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

    /// The profile's name.
    var profileName: String {
        guard let profile else { return "of unknown profile" }
        let names =
            isHEVC
            ? [1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "of a range extension profile"]
            : [
                66: "Baseline", 77: "Main", 88: "Extended", 100: "High", 110: "High 10", 122: "High 4:2:2",
                244: "High 4:4:4",
            ]
        return names[profile] ?? "of profile \(profile)"
    }
}

extension DeviceProfile.Profile {
    /// True if the shape's profile is within the limit or unknown.
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
    /// The peak bit rate over any segment-length window, in bits per second.
    fileprivate func peakBitRate(_ index: StreamIndex) -> Int {
        let window = (CutList.target * Rational(timescale)).rounded(scale: 1)
        var (first, sum, most) = (0, Int64(0), Int64(0))
        let size = { (place: Int) in
            packets(of: place..<place + 1).reduce(Int64(0)) { $0 + Int64(index.packets.size(at: $1)) }
        }
        for place in dts.indices {
            sum += size(place)
            while dts[place] - dts[first] >= window {
                sum -= size(first)
                first += 1
            }
            most = max(most, sum)
        }
        // A shorter stream is measured over its own length.
        let length = min(window, max(1, decodeEnd(of: dts.indices) - (dts.first ?? 0)))
        return Int(clamping: Int128(most) * 8 * Int128(timescale) / Int128(length))
    }
}
