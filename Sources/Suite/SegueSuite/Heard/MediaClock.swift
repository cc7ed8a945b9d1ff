internal import SegueBase
internal import SegueFFmpeg
internal import SeguePlayerModel

/// The mapping from segment timestamps to an item's timeline.
///
/// Renditions of one source share timestamps. Positions before and after a switch therefore follow from the media, not
/// from the rounded durations of a playlist.
struct MediaClock {
    /// The media from the start of a section to the next discontinuity, over which timestamps are continuous.
    private struct Section: Hashable {
        let source: Int
        let number: Int
    }

    private var starts: [Int: Set<Int>] = [:]
    private var offsets: [Section: Rational] = [:]

    /// A clock for all delivered media.
    ///
    /// `source` is the source of an item.
    init(_ media: DeliveredMedia, source: (ItemID) -> Int) {
        var all: [Section: [(item: ItemID, piece: DeliveredMedia.Piece)]] = [:]
        for item in media.items {
            for stream in media.streams(of: item) {
                for piece in media.pieces(of: item, stream) where piece.startsDiscontinuity {
                    starts[source(item), default: []].insert(piece.number)
                }
            }
        }
        for item in media.items {
            for stream in media.streams(of: item) {
                for piece in media.pieces(of: item, stream) {
                    let key = section(of: piece.number, source(item))
                    let first = all[key]?.first?.piece.number ?? .max
                    if piece.number < first { all[key] = [(item, piece)] }
                    if piece.number == first { all[key]?.append((item, piece)) }
                }
            }
        }
        for (key, pieces) in all { offsets[key] = MediaClock.offset(of: pieces, in: media) }
    }

    private func section(of number: Int, _ source: Int) -> Section {
        Section(source: source, number: starts[source, default: []].filter { $0 <= number }.max() ?? 0)
    }

    /// The number of seconds to subtract from a timestamp for the position in the item.
    func offset(of piece: DeliveredMedia.Piece, source: Int) -> Rational {
        offsets[section(of: piece.number, source)] ?? .zero
    }

    /// The longest encoder delay: audio this much before the video is not meant to be heard.
    private static let longestDelay = Rational(1, 10)

    /// The offset from the first delivered segment of the section: from its video if there is any, since segments are
    /// cut at frames and their audio may begin later, or earlier by the encoder delay.
    ///
    /// At the item's start, audio that begins well before the video counts.
    private static func offset(
        of pieces: [(item: ItemID, piece: DeliveredMedia.Piece)],
        in media: DeliveredMedia
    ) -> Rational {
        var audio: [Rational] = []
        var video: [Rational] = []
        for (item, piece) in pieces {
            guard let input = try? media.input(of: piece, in: item) else { continue }
            var firsts: [Int: Rational] = [:]
            let packet = Packet()
            while input.read(into: packet) {
                guard let time = packet.pts, input.streams.indices.contains(packet.streamIndex) else { continue }
                let stream = input.streams[packet.streamIndex]
                // Samples that the container marks to be dropped precede the item's start.
                let dropped = Rational(Int64(packet.skippedSamples?.start ?? 0), Int64(max(stream.sampleRate, 1)))
                let stamp = Rational(time) * stream.timeBase + dropped
                firsts[packet.streamIndex] = min(firsts[packet.streamIndex] ?? stamp, stamp)
            }
            for (index, first) in firsts {
                if input.streams[index].kind == .video { video.append(first) }
                if input.streams[index].kind == .audio { audio.append(first) }
            }
        }
        guard let piece = pieces.first?.piece else { return .zero }
        var first = video.min() ?? audio.min()
        if piece.number == 0, let heard = audio.min(), let shown = video.min(), shown - heard > longestDelay {
            first = heard
        }
        return (first ?? .zero) - Rational(piece.start.wholeNanoseconds, 1_000_000_000)
    }
}
