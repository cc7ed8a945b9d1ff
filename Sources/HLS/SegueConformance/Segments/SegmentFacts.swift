package import SegueBase
internal import SegueContainers
package import SeguePlaylists

/// What rules look at in a segment; made from its bytes, which are not kept.
package struct SegmentFacts: Sendable {
    /// Its number in the playlist, from 0.
    package var number: Int

    /// Its absolute URL.
    package var url: String

    /// How many bytes it has.
    package var size: Int

    /// How it is laid out; nil when it cannot be read.
    package var layout: SegmentInspection.Layout?

    /// Why it cannot be read; nil when it can.
    package var failure: String?

    /// What is in it.
    package var tracks: [TrackFacts] = []

    /// What its packets tell; nil for what is no transport stream.
    package var transport: TransportFacts?

    /// Whether its video begins with a picture that needs none before it; nil when there is none or it is not known.
    package var startsWithIDR: Bool?

    /// Its cues; nil for what is no WebVTT.
    package var subtitles: SubtitleFacts?

    /// What is wrong in its bytes.
    package var faults: [MediaFault] = []

    /// Tells its bytes from others; nil where they do not matter.
    package var digest: UInt64?

    /// The numbers of its first and last fragment; nil where it has none.
    package var sequence: ClosedRange<Int>?

    /// The facts of a segment.
    package init(number: Int, url: String, size: Int, layout: SegmentInspection.Layout? = nil) {
        (self.number, self.url, self.size, self.layout) = (number, url, size, layout)
    }

    /// The track by which the segment is timed: video where there is any.
    var mainTrack: TrackFacts? { tracks.first { $0.kind == .video } ?? tracks.first { $0.kind == .audio } }
}

/// What rules look at in a track of a segment.
package struct TrackFacts: Sendable, Equatable {
    /// Its number, or PID.
    package var number: Int

    /// What is in it.
    package var kind: SegmentTrack.Kind

    /// The codec's short name.
    package var codec: String

    /// The codec as `CODECS` has it, as far as the parameters tell; nil when they do not.
    package var parameters: String?

    /// The codec for a sentence, of AAC with what tells whether it may be HE-AAC.
    var shown: String? {
        guard parameters == "mp4a.40.2", let rate = setup?.sampleRate else { return parameters }
        return "mp4a.40.2 of \(rate) Hz"
    }

    /// The first decode time in seconds.
    package var decodeStart: Rational?

    /// The least presentation time in seconds.
    package var start: Rational?

    /// The greatest presentation time of a sample in seconds.
    package var last: Rational?

    /// How long its samples are together, in seconds; nil where the bytes do not tell.
    package var duration: Rational?

    /// How many samples it has, in a transport stream PES packets.
    package var samples: Int?

    /// How many samples have no duration.
    package var zeroDurations = 0

    /// Tells one set-up of the decoder from another; nil where it is not known.
    package var coding: UInt64?

    /// `PQ` or `HLG` where the video is said to be that; nil else.
    package var videoRange: String?

    /// How it is coded, by its set-up; nil where that is not known.
    package var setup: CodingSetup?

    /// Whether its samples are encrypted.
    package var isEncrypted = false

    /// Whether a loudness box says how loud it is (ISO/IEC 14496-12, 12.2.7).
    package var hasLoudnessBox = false

    /// When the pictures are shown at which decoding may begin, in seconds; nil where it is not known.
    package var keyframes: [Rational]?

    /// The least time from one picture to the next, in seconds.
    package var leastStep: Rational?

    /// The greatest time from one picture to the next, in seconds.
    package var greatestStep: Rational?

    /// How many samples are there with all their bytes; nil where it is not known.
    package var wholeSamples: Int?

    /// The facts of a track.
    package init(number: Int, kind: SegmentTrack.Kind, codec: String) {
        (self.number, self.kind, self.codec) = (number, kind, codec)
    }

    init(_ track: SegmentTrack) {
        self.init(number: track.number, kind: track.kind, codec: track.codec)
        (decodeStart, start, last) = (track.decodeStart, track.start, track.last)
        (duration, samples, isEncrypted) = (track.duration, track.samples, track.isEncrypted)
    }
}

/// What rules look at in an initialization section.
package struct InitializationFacts: Sendable {
    /// Its absolute URL.
    package var url: String

    /// Its major and compatible brands.
    package var brands: [String] = []

    /// Whether the movie box says that fragments follow (`mvex`).
    package var hasMovieExtends = false

    /// How many samples its own tables have.
    package var samples = 0

    /// Its tracks.
    package var tracks: [TrackFacts] = []

    /// Why it cannot be read; nil when it can.
    package var failure: String?

    /// What segments need to be read.
    package var inspection: SegmentInspection?

    /// What is wrong in its bytes.
    package var faults: [MediaFault] = []

    /// What its sample entries tell.
    var entries: [Int: EntrySetup] = [:]

    /// Which of a track's sample entries are of encrypted samples.
    var encryptedEntries: [Int: [Bool]] = [:]

    /// What samples have that do not say.
    var defaults: [Int: TrackDefaults] = [:]

    /// How long a frame of each track of sound lasts, in units of the track.
    var frameUnits: [Int: Rational] {
        tracks.reduce(into: [:]) { result, track in
            guard track.kind == .audio, let setup = track.setup, let length = setup.frameLength, length > 0,
                let rate = setup.sampleRate, rate > 0,
                let scale = inspection?.tracks.first(where: { $0.number == track.number })?.initialization?.timeScale
            else { return }
            result[track.number] = Rational(Int64(length) * scale, Int64(rate))
        }
    }

    /// The tracks whose encrypted samples each need something to be decrypted.
    var needsVectors: Set<Int> {
        Set(
            tracks.filter { $0.isEncrypted && ($0.kind == .video || entries[$0.number]?.hasVectors == true) }.map(
                \.number
            )
        )
    }

    /// The facts of an initialization section.
    package init(url: String) { self.url = url }
}
