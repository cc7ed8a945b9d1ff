package import SegueBase

/// What a device can take: the containers, the codecs, and how large, fast and loud.
///
/// A pure value: it decides what is copied and what is transcoded, and touches nothing.
package struct DeviceProfile: Sendable, Hashable, Codable {
    /// The profiles of H.264 and HEVC that a device may be held to; each takes those before it.
    package enum Profile: String, Sendable, CaseIterable, Codable {
        case baseline, main, high
        case main10 = "main-10"
        /// Whatever there is.
        case any
    }

    /// What a device takes of one codec of frames; what is nil is not limited.
    package struct Pictures: Sendable, Hashable, Codable {
        /// The most demanding profile.
        package var profile: Profile
        /// The maximum level, ten times its number (31 is level 3.1).
        package var level: Int?
        /// The maximum longer side, in pixels.
        package var longSide: Int?
        /// The maximum shorter side, in pixels.
        package var shortSide: Int?
        /// The maximum number of frames per second.
        package var frameRate: Rational?
        /// The maximum number of bits per second over any stretch as long as a segment.
        package var bitsPerSecond: Int?
        /// True if frames of high dynamic range (PQ, HLG) are shown as they are meant.
        package var showsHDR: Bool

        /// Limits.
        package init(
            profile: Profile = .any,
            level: Int? = nil,
            longSide: Int? = nil,
            shortSide: Int? = nil,
            frameRate: Rational? = nil,
            bitsPerSecond: Int? = nil,
            showsHDR: Bool = true
        ) {
            self.profile = profile
            self.level = level
            self.longSide = longSide
            self.shortSide = shortSide
            self.frameRate = frameRate
            self.bitsPerSecond = bitsPerSecond
            self.showsHDR = showsHDR
        }
    }

    /// The codecs of audio that can be copied.
    package enum AudioCodec: String, Sendable, CaseIterable, Codable {
        case aacLC = "aac-lc"
        case heAAC = "he-aac"
        case mp3
        case ac3 = "ac-3"
        case eac3 = "e-ac-3"
        case flac, alac, opus
    }

    /// What a device takes of one codec of audio.
    package struct Sound: Sendable, Hashable, Codable {
        /// In which containers, the one that is to be preferred first.
        package var containers: [SegmentContainer]
        /// The number of channels at most.
        package var channels: Int
        /// The number of samples per second at most.
        package var sampleRate: Int

        /// Limits.
        package init(containers: [SegmentContainer], channels: Int, sampleRate: Int) {
            self.containers = containers
            self.channels = channels
            self.sampleRate = sampleRate
        }
    }

    /// The name by which it is requested.
    package var name: String
    /// What people call it.
    package var title: String
    /// What its requests' User-Agent looks like; `*` stands for anything.
    package var userAgents: [String]
    /// The containers, the preferred one first.
    package var containers: [SegmentContainer]
    /// What it takes of H.264.
    package var h264: Pictures
    /// What it takes of HEVC, in fragmented MP4; nil for nothing.
    package var hevc: Pictures?
    /// What it takes of audio, by codec; AAC-LC is always there, since it is what other audio becomes.
    package var sound: [AudioCodec: Sound]

    /// A profile of one's own; files have theirs.
    package init(
        name: String,
        title: String,
        userAgents: [String],
        containers: [SegmentContainer],
        h264: Pictures,
        hevc: Pictures?,
        sound: [AudioCodec: Sound]
    ) {
        self.name = name
        self.title = title
        self.userAgents = userAgents
        self.containers = containers
        self.h264 = h264
        self.hevc = hevc
        self.sound = sound
    }

    /// What is assumed of a player that says nothing of itself: what all but old and small ones take.
    package static let any = DeviceProfile(
        name: "any",
        title: "any player",
        userAgents: [],
        containers: [.fmp4, .ts],
        h264: Pictures(),
        hevc: Pictures(),
        sound: [
            .aacLC: Sound(containers: [.fmp4, .ts], channels: 8, sampleRate: 96000),
            .heAAC: Sound(containers: [.fmp4, .ts], channels: 8, sampleRate: 96000),
            // Browsers play copied MP3 in transport streams only.
            .mp3: Sound(containers: [.ts, .fmp4], channels: 2, sampleRate: 48000),
            .ac3: Sound(containers: [.fmp4, .ts], channels: 6, sampleRate: 48000),
            .eac3: Sound(containers: [.fmp4, .ts], channels: 16, sampleRate: 48000),
        ]
    )
}

extension DeviceProfile {
    /// True if it is ``any``, which takes one set of tracks in both containers.
    package var isAny: Bool { name == DeviceProfile.any.name }

    /// All that it says, the same words for the same device.
    package var words: String {
        let sounds = AudioCodec.allCases.map { "\($0.rawValue) \(sound[$0].map { "\($0)" } ?? "")" }
        return "\(name) \(containers) \(h264) \(hevc.map { "\($0)" } ?? "") \(sounds)"
    }

    /// What frames that are transcoded are held to.
    package var pictureLimits: VideoLimits {
        let standard = VideoLimits.standard
        let profile: VideoLimits.Profile =
            switch h264.profile {
            case .baseline: .baseline
            case .main: .main
            case .high, .main10, .any: .high
            }
        return VideoLimits(
            longSide: min(h264.longSide ?? standard.longSide, standard.longSide),
            shortSide: min(h264.shortSide ?? standard.shortSide, standard.shortSide),
            frameRate: h264.frameRate,
            profile: profile,
            level: h264.level,
            bitsPerSecond: h264.bitsPerSecond
        )
    }

    /// What audio that is transcoded is held to.
    package var soundLimits: AudioLimits {
        let aac = sound[.aacLC]
        return AudioLimits(
            channels: min(aac?.channels ?? 2, AudioLimits.standard.channels),
            sampleRate: min(aac?.sampleRate ?? 48000, AudioLimits.standard.sampleRate)
        )
    }
}

/// What audio that is transcoded may be at most.
package struct AudioLimits: Sendable, Hashable {
    /// The maximum number of channels: 1, 2 or 6.
    package var channels: Int
    /// The maximum number of samples per second.
    package var sampleRate: Int

    /// 5.1 at 48 kHz: what AAC is made at where nothing else is requested.
    package static let standard = AudioLimits(channels: 6, sampleRate: 48000)

    /// Sets limits.
    package init(channels: Int, sampleRate: Int) {
        self.channels = channels
        self.sampleRate = sampleRate
    }
}
