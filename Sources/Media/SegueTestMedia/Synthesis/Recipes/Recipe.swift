package import SegueBase
package import SegueData

/// How one test file is made, and what is expected of whoever serves it.
///
/// Frame and audio lie on one timeline, the *content's*: frame `n` of a film at a constant rate shows number `n` and is
/// due at `n / rate`, and sample `n` of an audio is sample `n` of its ``SoundSignal``. ``Encoding/start`` shifts the
/// container's timestamps against it, all tracks alike; a track's own start says where on it the track begins.
package struct Recipe: Sendable, Equatable {
    /// Where the file goes, relative to the folder that is filled.
    package var file: String

    /// What the file is for, in a sentence.
    package var about: String

    /// What the file is made of.
    package var source: Source

    /// What is done to the bytes afterwards, in order.
    package var damage: [Damage]

    /// What a server is expected to do with it.
    package var expect: Expectation

    /// Where the recipe stands, for error messages: the recipe file and the line.
    package var origin: Origin

    /// The number that the file's audio tracks follow from; other files audio different.
    package var seed: UInt64 { StableHash.of(file) }

    /// What a file is made of.
    package enum Source: Sendable, Equatable {
        /// Encoded and multiplexed.
        case encoding(Encoding)
        /// The bytes of other recipes' files, one after the other.
        case join([String])
        /// The bytes of another recipe's file.
        case copy(String)
        /// No bytes at all.
        case empty
        /// This many bytes of noise.
        case random(Int)
        /// A text.
        case text(String)
    }

    /// Something done to a finished file.
    package enum Damage: Sendable, Equatable {
        /// Keep this fraction of the bytes, from the beginning.
        case keep(Rational)
        /// Leave off this many bytes at the beginning.
        case dropFirst(Int)
        /// Overwrite `count` bytes with noise, beginning at a fraction of the file.
        case corrupt(at: Rational, count: Int)
        /// Put this many bytes of noise before the file.
        case prepend(Int)
    }

    /// What a server is expected to do with a file.
    package enum Expectation: String, Sendable, CaseIterable {
        /// Serve all of it.
        case full
        /// Serve its audio; its frame cannot be served.
        case background
        /// Open it and say why nothing of it is served: there is no audio, and its frame cannot be served.
        case unserved
        /// Say that there is nothing playable in it.
        case skip
    }

    /// Where a recipe stands.
    package struct Origin: Sendable, Equatable {
        package var file: String
        package var line: Int?
    }

    /// A film or a song, encoded.
    package struct Encoding: Sendable, Equatable {
        /// libav's name of the container format.
        package var format: String
        /// Options of the container's writer.
        package var muxer: [HarnessFields.Pair]
        /// The length of the content.
        package var duration: Rational
        /// The container's timestamp of the content's beginning.
        package var start: Rational
        package var video: Video?
        package var audio: [Audio]
        package var artwork: Artwork?
        /// Tags of the file.
        package var tags: [HarnessFields.Pair]
        package var chapters: [Chapter]
    }

    /// A video track.
    package struct Video: Sendable, Equatable {
        /// libav's name of the encoder.
        package var encoder: String
        package var options: [HarnessFields.Pair]
        package var width: Int
        package var height: Int
        /// Frames per second; where the times vary, the finest grid they lie on.
        package var rate: Rational
        /// The number of steps of the grid each frame lasts, over and over; empty for one step each.
        package var steps: [Int]
        /// The maximum distance between keyframes in frames.
        package var keyframeInterval: Int
        /// The frames that are keyframes, where they are chosen one by one; nothing else is then one.
        package var keyframes: [Int]
        /// The maximum number of B-frames in a row.
        package var bFrames: Int
        package var pixelFormat: String
        /// Degrees by which a player turns the frame, clockwise: 0, 90, 180 or 270.
        package var rotation: Int
        /// Where on the content's timeline the first frame is due.
        package var start: Rational
        /// Where on the content's timeline the last frame ends; nil for the content's end.
        package var end: Rational?
        /// The four-character code in the container, where libav's choice is not wanted.
        package var tag: String?
        package var bitsPerSecond: Int?
        /// The mark of the variant that its frames show, one of ``VariantMark/range``.
        package var mark: Int?
    }

    /// An audio track.
    package struct Audio: Sendable, Equatable {
        /// libav's name of the encoder.
        package var encoder: String
        package var options: [HarnessFields.Pair]
        package var rate: Int
        package var channels: Int
        /// libav's name of the channel layout; nil for the usual one of that many channels.
        package var layout: String?
        /// libav's name of the sample format; nil for the encoder's first.
        package var sampleFormat: String?
        package var bitsPerSecond: Int?
        package var language: String?
        package var title: String?
        /// Where on the content's timeline the track begins.
        package var start: Rational
        /// Where on the content's timeline the track ends; nil for the content's end.
        package var end: Rational?
        /// The four-character code in the container, where libav's choice is not wanted.
        package var tag: String?
    }

    /// A cover image.
    package struct Artwork: Sendable, Equatable {
        /// libav's name of the encoder: `mjpeg` or `png`.
        package var encoder: String
        package var width: Int
        package var height: Int
    }

    /// A chapter.
    package struct Chapter: Sendable, Equatable {
        package var start: Rational
        package var title: String
    }
}

extension Recipe.Video {
    /// The times at which frames are due on the content's timeline, up to where the track ends, and that end.
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

    /// True if a frame is to be a keyframe.
    package func isKeyframe(_ number: Int) -> Bool {
        keyframes.isEmpty ? number % keyframeInterval == 0 : number == 0 || keyframes.contains(number)
    }
}

extension Recipe.Audio {
    /// The samples of the signal that the track holds.
    package func samples(contentEnd: Rational) -> Range<Int64> {
        let first = start.rounded(scale: Int64(rate))
        return first..<max(first, (end ?? contentEnd).rounded(scale: Int64(rate)))
    }
}

/// A hash that is the same in every run and on every machine, as Swift's own is not.
enum StableHash {
    /// FNV-1a, 64 bits.
    static func of(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
