package import SegueBase
package import SegueData
package import SegueFFmpeg

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

    /// The seed of the file's audio tracks, derived from its name.
    package var seed: UInt64 {
        file.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

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
        /// The encoder's settings; for variable frame rates, `rate` is that of the finest time grid.
        package var film: MediaWriter.Film
        /// The cyclic frame durations in grid steps; empty for one step each.
        package var steps: [Int]
        /// An explicit, exhaustive list of keyframes.
        package var keyframes: [Int]
        /// The last frame's end on the content's timeline; nil for the content's end.
        package var end: Rational?
        /// The variant's mark in the frames, within ``VariantMark/range``.
        package var mark: Int?
    }

    package struct Audio: Sendable, Equatable {
        /// The encoder's settings.
        package var settings: MediaWriter.AudioSettings
        /// The track's end on the content's timeline; nil for the content's end.
        package var end: Rational?
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
            let time = film.start + Rational(position) / film.rate
            guard time < end else { return (frames, time) }
            frames.append(time)
            position += steps.isEmpty ? 1 : Int64(steps[(frames.count - 1) % steps.count])
        }
    }

    package func isKeyframe(_ number: Int) -> Bool {
        keyframes.isEmpty ? number % film.keyframeInterval == 0 : number == 0 || keyframes.contains(number)
    }
}

extension Recipe.Audio {
    /// The signal's samples in the track.
    package func samples(contentEnd: Rational) -> Range<Int64> {
        let (rate, start) = (Int64(settings.rate), settings.start)
        let first = start.rounded(scale: rate)
        return first..<max(first, (end ?? contentEnd).rounded(scale: rate))
    }
}
