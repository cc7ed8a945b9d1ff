internal import Foundation
internal import SegueConcurrency
internal import SegueFFmpeg

/// Identifies unexpected audio: another track of the source, or the same at another speed.
enum AudioIdentity {
    /// The common mistaken playback speeds.
    private static let speeds: [(ratio: Double, words: String)] = [
        (48000.0 / 44100, "44.1 kHz audio played at 48 kHz"),
        (44100.0 / 48000, "48 kHz audio played at 44.1 kHz"),
        (2, "played at double speed"), (0.5, "played at half speed"),
        (25 / 23.976, "23.976 fps audio played at 25 fps"),
        (23.976 / 25, "25 fps audio played at 23.976 fps"),
        (48000.0 / 32000, "32 kHz audio played at 48 kHz"),
        (32000.0 / 48000, "48 kHz audio played at 32 kHz"),
    ]

    /// A description of the audio.
    static func words(
        of audio: AudioContent,
        path: String,
        streams: [StreamInfo],
        allowance: ContentAllowance,
        cancellation: Cancellation
    ) throws -> String {
        guard let tracker = audio.tracker, let piece = loud(tracker.audio.opening.delivered, 8000) else {
            return "the source has no similar audio"
        }
        for (ratio, words) in speeds {
            var slower = AudioReducer(rate: AudioReducer.rate / ratio, channels: 1)
            let stretched = slower.reduce([tracker.audio.opening.delivered])[0] + slower.finish()[0]
            if let piece = loud(stretched, 8000), isIn(tracker.audio.opening.source, piece) { return words }
        }
        for stream in streams where stream.kind == .audio && stream.canDecode && stream.index != audio.sourceIndex {
            if isIn(try opening(of: stream, path, cancellation), piece) {
                let language = stream.language.map { " (\($0))" } ?? ""
                return "the source's stream \(stream.index)\(language)"
            }
        }
        return "the source has no similar audio"
    }

    /// The first loud piece after the encoder's delay.
    private static func loud(_ samples: [Float], _ count: Int) -> [Float]? {
        var place = 8000
        while place + count <= samples.count {
            let piece = Array(samples[place..<place + count])
            if piece.reduce(0, { $0 + $1 * $1 }) / Float(count) > Float(10 * AudioMatcher.quiet) { return piece }
            place += count / 2
        }
        return nil
    }

    private static func isIn(_ whole: [Float], _ piece: [Float]) -> Bool {
        guard whole.count > piece.count else { return false }
        return whole.withUnsafeBufferPointer { whole in
            piece.withUnsafeBufferPointer { piece in
                let own = AudioMath.product(piece, piece)
                for place in 0...(whole.count - piece.count) {
                    let there = UnsafeBufferPointer(rebasing: whole[place..<place + piece.count])
                    let product = AudioMath.product(piece, there)
                    guard product > 0, product * product > 0.09 * own * own || own == 0 else { continue }
                    let scale = (own * AudioMath.product(there, there)).squareRoot()
                    if scale > 0, product / scale > 0.6 { return true }
                }
                return false
            }
        }
    }

    /// The first seconds of another track.
    private static func opening(of stream: StreamInfo, _ path: String, _ cancellation: Cancellation) throws -> [Float] {
        let channels = max(1, stream.channels)
        guard
            let source = try? SourceAudio(
                path: path,
                stream: stream.index,
                rate: stream.sampleRate,
                layout: ChannelLayout(channels: channels),
                known: KnownDamage(),
                cancellation: cancellation
            )
        else { return [] }
        var reducer = AudioReducer(rate: Double(stream.sampleRate), channels: channels)
        var samples: [Float] = []
        while samples.count < 320_000, let planes = try source.next() {
            samples += TrackedAudio.mixed(reducer.reduce(planes))
        }
        return samples
    }
}
