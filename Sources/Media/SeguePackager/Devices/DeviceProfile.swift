package import SegueBase
package import SegueData

/// A device's supported containers and codecs with their limits.
///
/// It is a pure value that decides between copying and transcoding.
package struct DeviceProfile: Sendable, Hashable, Codable {
    /// The H.264 and HEVC profiles; each includes the preceding ones.
    package enum Profile: String, Sendable, CaseIterable, Codable {
        case baseline, main, high
        case main10 = "main-10"
        case any
    }

    /// The limits for a video codec; nil means unlimited.
    package struct Video: Sendable, Hashable, Codable {
        /// The highest profile.
        package var profile: Profile
        /// The maximum level, times ten (31 is level 3.1).
        package var level: Int?
        /// The maximum longer side, in pixels.
        package var longSide: Int?
        /// The maximum shorter side, in pixels.
        package var shortSide: Int?
        /// The maximum frame rate.
        package var frameRate: Rational?
        /// The maximum bit rate over any segment-length window, in bits per second.
        package var bitsPerSecond: Int?
        /// True if HDR video (PQ, HLG) is displayed correctly.
        package var showsHDR: Bool
        /// The supported profiles of Dolby Vision.
        package var dolbyVision: [Int] = []

        package init(
            profile: Profile = .any,
            level: Int? = nil,
            longSide: Int? = nil,
            shortSide: Int? = nil,
            showsHDR: Bool = true
        ) {
            self.profile = profile
            self.level = level
            self.longSide = longSide
            self.shortSide = shortSide
            self.showsHDR = showsHDR
        }
    }

    /// The transforms of an fMP4 display matrix that a player applies in HLS.
    package enum Orientation: String, Sendable, CaseIterable, Codable {
        /// None: video is transcoded upright.
        case ignored
        case rotation
        case rotationAndMirror = "rotation-and-mirror"
    }

    /// The audio codecs that can be copied.
    package enum AudioCodec: String, Sendable, CaseIterable, Codable {
        case aacLC = "aac-lc"
        case heAAC = "he-aac"
        case xheAAC = "xhe-aac"
        case mp3
        case ac3 = "ac-3"
        case eac3 = "e-ac-3"
        case flac, alac, opus
    }

    /// The limits for an audio codec.
    package struct Audio: Sendable, Hashable, Codable {
        /// The containers, in order of preference.
        package var containers: [SegmentContainer]
        /// The maximum number of channels.
        package var channels: Int
        /// The maximum sample rate, in hertz.
        package var sampleRate: Int

        package init(containers: [SegmentContainer], channels: Int, sampleRate: Int) {
            self.containers = containers
            self.channels = channels
            self.sampleRate = sampleRate
        }
    }

    /// The name in requests.
    package var name: String
    /// The display name.
    package var title: String
    /// The User-Agent patterns; `*` matches any text.
    package var userAgents: [String] = []
    /// The containers, in order of preference.
    package var containers: [SegmentContainer]
    /// The limits for H.264.
    package var h264: Video
    /// The limits for HEVC, in fragmented MP4; nil if unsupported.
    package var hevc: Video?
    /// The limits for audio by codec; AAC-LC is always present, because other audio is transcoded to it.
    package var audio: [AudioCodec: Audio]
    /// The transforms that the player applies to video in fragmented MP4.
    package var orientation = Orientation.ignored
    /// The versions of the system that run on the device; empty if unknown.
    package var systems: [SystemRange] = []
    /// False if apps end when the user leaves them, on every version.
    package var hasMultitasking = true

    /// Creates a custom profile.
    package init(
        name: String,
        title: String,
        containers: [SegmentContainer],
        h264: Video,
        hevc: Video?,
        audio: [AudioCodec: Audio]
    ) {
        self.name = name
        self.title = title
        self.containers = containers
        self.h264 = h264
        self.hevc = hevc
        self.audio = audio
    }

    /// The profile of an unknown player: the common denominator of all but old and small devices.
    package static let any = DeviceProfile(
        name: "any",
        title: "any player",
        containers: [.fmp4, .ts],
        h264: Video(),
        hevc: Video(),
        audio: [
            .aacLC: Audio(containers: [.fmp4, .ts], channels: 8, sampleRate: 96000),
            .heAAC: Audio(containers: [.fmp4, .ts], channels: 8, sampleRate: 96000),
            // Browsers play copied MP3 only in transport streams.
            .mp3: Audio(containers: [.ts, .fmp4], channels: 2, sampleRate: 48000),
            .ac3: Audio(containers: [.fmp4, .ts], channels: 6, sampleRate: 48000),
            .eac3: Audio(containers: [.fmp4, .ts], channels: 16, sampleRate: 48000),
        ]
    )
}

extension DeviceProfile {
    /// True for ``any``, which uses one set of tracks in both containers.
    package var isAny: Bool { name == DeviceProfile.any.name }

    /// A complete and stable description of the profile.
    package var words: String {
        let codecs = AudioCodec.allCases.map { "\($0.rawValue) \(audio[$0].map { "\($0)" } ?? "")" }
        return "\(name) \(containers) \(orientation) \(h264) \(hevc.map { "\($0)" } ?? "") \(codecs)"
    }

    /// The limits for transcoded video.
    package var videoLimits: VideoLimits {
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

    /// The limits for transcoded audio.
    package var audioLimits: AudioLimits {
        let aac = audio[.aacLC]
        return AudioLimits(
            channels: min(aac?.channels ?? 2, AudioLimits.standard.channels),
            sampleRate: min(aac?.sampleRate ?? 48000, AudioLimits.standard.sampleRate)
        )
    }
}

/// The limits for transcoded audio.
package struct AudioLimits: Sendable, Hashable {
    /// The maximum number of channels: 1, 2, or 6.
    package var channels: Int
    /// The maximum sample rate, in hertz.
    package var sampleRate: Int

    /// The defaults: 5.1 at 48 kHz.
    package static let standard = AudioLimits(channels: 6, sampleRate: 48000)

    package init(channels: Int, sampleRate: Int) {
        self.channels = channels
        self.sampleRate = sampleRate
    }
}
