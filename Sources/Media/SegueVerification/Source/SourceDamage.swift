internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg

/// What libav cannot decode of a file's streams, found out in one run over it.
///
/// Nobody who decodes with libav gets more out of the file; so this is no fault of what was delivered.
package struct SourceDamage: Sendable {
    /// What is lost or marred of one stream.
    struct Loss: Equatable {
        /// How many packets.
        var packets = 0
        /// How long they last together, in seconds.
        var seconds = 0.0
        /// When the first of them is due, in seconds as the file counts; nil where it does not say.
        var first: Double?

        mutating func add(_ packet: Packet, of stream: StreamInfo) {
            if packets == 0 { first = SourceDamage.time(of: packet, stream) }
            packets += 1
            seconds += SourceDamage.length(of: packet, stream)
        }
    }

    /// What came of one stream.
    struct Track: Equatable {
        let kind: StreamKind
        /// The codec, as messages name it.
        let codec: String
        /// All that the file holds of it.
        var whole = Loss()
        /// Packets that libav refuses.
        var lost = Loss()
        /// Packets that it decodes with an error logged.
        var marred = Loss()
        /// Whether libav decodes anything of it.
        var isDecoded = false
        /// What libav says of the first packet that it refuses or decodes with an error.
        var words: String?
        /// From when on only keyframes were decoded, in seconds; nil where all pictures were.
        var sampledFrom: Double?
    }

    /// The streams, by their number.
    private(set) var tracks: [Int: Track] = [:]
    /// What libav says of the container while it reads; nil where it reads to the end without a word.
    private(set) var readingWords: String?

    /// Pixels that are decoded of the pictures, some ten minutes of 1920 x 1080: beyond, keyframes have to do.
    private static let pixels = 30_000_000_000

    /// Nothing has been looked at.
    init() {}

    /// Looks for damage.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - streams: The numbers of the streams to decode.
    ///   - isForNothing: Whether it is enough to know that something can be decoded.
    ///   - cancellation: Stops the work.
    /// - Throws: ``MediaError`` when the file cannot be opened or the work is cancelled.
    package init(of path: String, streams: Set<Int>, isForNothing: Bool = false, _ cancellation: Cancellation) throws {
        let input = try MediaInput(path: path, cancellation: cancellation)
        var decoded: [Int: (decoder: Decoder, damage: StreamDamage)] = [:]
        for stream in input.streams where streams.contains(stream.index) {
            var damage = StreamDamage(of: stream)
            // Filtering edges shows no errors, and takes a third of the time.
            let decoder = try damage.open {
                try Decoder(stream: stream, file: path, options: ["skip_loop_filter": "all"])
            }
            decoded[stream.index] = (decoder, damage)
        }
        defer { for (number, stream) in decoded { add(stream.damage, of: number) } }
        input.readAsOneRun()
        let packet = Packet()
        var left = Self.pixels
        while try read(input, into: packet) {
            guard let decoder = decoded[packet.streamIndex]?.decoder, packet.size > 0 else { continue }
            // What libav refuses is noted.
            try? decoded[packet.streamIndex]?.damage.decode(packet, with: decoder) { left -= $0.width * $0.height }
            guard let track = decoded[packet.streamIndex]?.damage.track else { continue }
            if isForNothing, track.isDecoded { return }
            if left < 0, track.kind == .video, track.sampledFrom == nil {
                decoded[packet.streamIndex]?.damage.sample(from: packet)
            }
        }
        for (number, stream) in decoded { try? decoded[number]?.damage.drain(stream.decoder) { _ in } }
    }

    /// Adds what came of a stream.
    mutating func add(_ damage: StreamDamage, of stream: Int) {
        tracks[stream] = damage.track
        readingWords = readingWords ?? damage.readingWords
    }

    /// Adds what came of other streams of the same file.
    mutating func add(_ other: SourceDamage) {
        tracks.merge(other.tracks) { $1 }
        readingWords = readingWords ?? other.readingWords
    }

    /// The damage of some of the streams alone.
    func only(_ streams: Set<Int>) -> SourceDamage {
        var result = self
        result.tracks = tracks.filter { streams.contains($0.key) }
        return result
    }

    /// Whether libav decodes nothing at all of any of them, though there are packets.
    var isEverything: Bool { !tracks.isEmpty && tracks.values.allSatisfy { !$0.isDecoded && $0.lost.packets > 0 } }

    /// Whether libav decodes anything.
    package var hasDecoded: Bool { tracks.values.contains(where: \.isDecoded) }

    /// Whether libav has said nothing.
    var isNone: Bool { readingWords == nil && tracks.values.allSatisfy { $0.words == nil } }

    /// What libav says of each stream of which it refuses something.
    var refusals: [String] {
        tracks.sorted { $0.key < $1.key }.map(\.value).filter { $0.lost.packets > 0 }.compactMap(\.words)
    }

    private mutating func read(_ input: MediaInput, into packet: Packet) throws -> Bool {
        var isRead = false
        do {
            let complaint = try ErrorLog.complaint { isRead = try input.read(into: packet) }
            readingWords = readingWords ?? complaint
        } catch let error as MediaError {
            guard !error.isCancelled else { throw error }
            readingWords = readingWords ?? error.message
        }
        return isRead
    }

    static func time(of packet: Packet, _ stream: StreamInfo) -> Double? {
        (packet.pts ?? packet.dts).map { (Rational($0) * stream.timeBase).seconds }
    }

    fileprivate static func length(of packet: Packet, _ stream: StreamInfo) -> Double {
        if packet.duration > 0 { return (Rational(packet.duration) * stream.timeBase).seconds }
        guard stream.kind == .audio, stream.sampleRate > 0 else { return 0 }
        return Double(stream.frameSize) / Double(stream.sampleRate)
    }
}
