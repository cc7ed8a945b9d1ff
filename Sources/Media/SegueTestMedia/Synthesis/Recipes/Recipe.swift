package import SegueBase
package import SegueData

/// The recipe of a test file, with the expected result.
///
/// Video and audio share the *content's* timeline: frame `n` of a constant-rate video shows number `n` at `n / rate`,
/// and audio sample `n` is sample `n` of its ``AudioSignal``. ``Encoding/start`` shifts the container's timestamps of
/// all tracks; a track's own start is its first position on the timeline.
package struct Recipe: Sendable, Equatable {
    /// The path relative to the target folder.
    package var file: String

    /// A one-sentence purpose.
    package var about: String

    package var source: Source

    /// The changes to the finished bytes, in order.
    package var damage: [Damage]

    /// The expected behavior of a server.
    package var expect: Expectation

    /// The recipe's file and line, for errors.
    package var origin: Origin

    /// The seed of the file's audio tracks; different files sound different.
    package var seed: UInt64 { StableHash.of(file) }

    /// The source of a file's bytes.
    package enum Source: Sendable, Equatable {
        /// Encoded and multiplexed media.
        case encoding(Encoding)
        /// Concatenated files of other recipes.
        case join([String])
        /// A copy of another recipe's file.
        case copy(String)
        /// An empty file.
        case empty
        /// Noise of a size in bytes.
        case random(Int)
        case text(String)
    }

    /// A change to a finished file.
    package enum Damage: Sendable, Equatable {
        /// Keep this leading fraction of the bytes.
        case keep(Rational)
        /// Drop this many leading bytes.
        case dropFirst(Int)
        /// Overwrite `count` bytes with noise, from a fraction of the file on.
        case corrupt(at: Rational, count: Int)
        /// Prepend this many noise bytes.
        case prepend(Int)
    }

    /// The expected behavior of a server for a file.
    package enum Expectation: String, Sendable, CaseIterable {
        /// All of it is served.
        case full
        /// Only its audio can be served.
        case background
        /// The file opens, but nothing can be served: it has no audio, and its video is unsupported.
        case unserved
        /// Nothing in it is playable.
        case skip
    }

    /// A recipe's location.
    package struct Origin: Sendable, Equatable {
        package var file: String
        package var line: Int?
    }

    /// The settings of encoded media.
    package struct Encoding: Sendable, Equatable {
        /// libav's name of the container format.
        package var format: String
        /// Options for the muxer.
        package var muxer: [HarnessFields.Pair]
        /// The content's duration.
        package var duration: Rational
        /// The container timestamp of the content's start.
        package var start: Rational
        package var video: Video?
        package var audio: [Audio]
        package var artwork: Artwork?
        package var tags: [HarnessFields.Pair]
        package var chapters: [Chapter]
    }

    package struct Video: Sendable, Equatable {
        /// libav's name of the encoder.
        package var encoder: String
        package var options: [HarnessFields.Pair]
        package var width: Int
        package var height: Int
        /// The frame rate; for variable rates, that of the finest time grid.
        package var rate: Rational
        /// The cyclic frame durations in grid steps; empty for one step each.
        package var steps: [Int]
        /// The maximum keyframe distance, in frames.
        package var keyframeInterval: Int
        /// An explicit, exhaustive list of keyframes.
        package var keyframes: [Int]
        /// The maximum number of consecutive B-frames.
        package var bFrames: Int
        package var pixelFormat: String
        /// The clockwise display rotation in degrees: 0, 90, 180, or 270.
        package var rotation: Int
        /// The first frame's position on the content's timeline.
        package var start: Rational
        /// The last frame's end on the content's timeline; nil for the content's end.
        package var end: Rational?
        /// The four-character code in the container; nil for libav's choice.
        package var tag: String?
        package var bitsPerSecond: Int?
        /// The variant's mark in the frames, within ``VariantMark/range``.
        package var mark: Int?
    }

    package struct Audio: Sendable, Equatable {
        /// libav's name of the encoder.
        package var encoder: String
        package var options: [HarnessFields.Pair]
        package var rate: Int
        package var channels: Int
        /// libav's name of the channel layout; nil for the default.
        package var layout: String?
        /// libav's name of the sample format; nil for the encoder's first choice.
        package var sampleFormat: String?
        package var bitsPerSecond: Int?
        package var language: String?
        package var title: String?
        /// The track's start on the content's timeline.
        package var start: Rational
        /// The track's end on the content's timeline; nil for the content's end.
        package var end: Rational?
        /// The four-character code in the container; nil for libav's choice.
        package var tag: String?
    }

    package struct Artwork: Sendable, Equatable {
        /// libav's name of the encoder: `mjpeg` or `png`.
        package var encoder: String
        package var width: Int
        package var height: Int
    }

    package struct Chapter: Sendable, Equatable {
        package var start: Rational
        package var title: String
    }
}

extension Recipe.Video {
    /// The frame times on the content's timeline up to the track's end, and that end.
    package func times(contentEnd: Rational) -> (frames: [Rational], end: Rational) {
        let end = end ?? contentEnd
        var frames: [Rational] = []
        var position: Int64 = 0
        while true {
            let time = start + Rational(position) / rate
            guard time < end else { return (frames, time) }
            frames.append(time)
            position += steps.isEmpty ? 1 : Int64(steps[(frames.count - 1) % steps.count])
        }
    }

    package func isKeyframe(_ number: Int) -> Bool {
        keyframes.isEmpty ? number % keyframeInterval == 0 : number == 0 || keyframes.contains(number)
    }
}

extension Recipe.Audio {
    /// The signal's samples in the track.
    package func samples(contentEnd: Rational) -> Range<Int64> {
        let first = start.rounded(scale: Int64(rate))
        return first..<max(first, (end ?? contentEnd).rounded(scale: Int64(rate)))
    }
}

/// A hash that is stable across runs and machines, unlike Swift's.
enum StableHash {
    /// FNV-1a, 64 bits.
    static func of(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
