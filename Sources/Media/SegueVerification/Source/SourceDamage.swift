internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg

/// The parts of a file that libav cannot decode, found in one pass.
///
/// No libav-based decoder gets more out of the file, so the loss is not the delivery's fault.
package struct SourceDamage: Sendable {
    /// The lost or corrupt part of a stream.
    struct Loss: Equatable {
        var packets = 0
        /// The total duration, in seconds.
        var seconds = 0.0
        /// The file time of the first one, in seconds; nil if unknown.
        var first: Double?

        mutating func add(_ packet: Packet, of stream: StreamInfo) {
            if packets == 0 { first = SourceDamage.time(of: packet, stream) }
            packets += 1
            seconds += SourceDamage.length(of: packet, stream)
        }
    }

    /// The result for one stream.
    struct Track: Equatable {
        let kind: StreamKind
        /// The codec's name for messages.
        let codec: String
        /// The complete stream.
        var whole = Loss()
        /// The packets that libav refuses.
        var lost = Loss()
        /// The packets that libav decodes with errors.
        var marred = Loss()
        /// True if anything can be decoded.
        var isDecoded = false
        /// libav's message for the first bad packet.
        var words: String?
        /// The time in seconds from which only keyframes were decoded; nil if all frames were.
        var sampledFrom: Double?
    }

    /// The streams, by index.
    private(set) var tracks: [Int: Track] = [:]
    /// libav's message about the container; nil if there is none.
    private(set) var readingWords: String?

    /// The decoding limit, in pixels, about ten minutes of 1920 x 1080; beyond it, only keyframes are decoded.
    private static let pixels = 30_000_000_000

    init() {}

    /// Checks streams for damage; `isForNothing` stops at the first decodable packet of each.
    package init(of path: String, streams: Set<Int>, isForNothing: Bool = false, _ cancellation: Cancellation) throws {
        let input = try MediaInput(path: path, cancellation: cancellation)
        var decoded: [Int: (decoder: Decoder, damage: StreamDamage)] = [:]
        for stream in input.streams where streams.contains(stream.index) && stream.canDecode {
            var damage = StreamDamage(of: stream)
            // Skipping the loop filter hides no errors and saves a third of the time.
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
            // Errors are recorded.
            try? decoded[packet.streamIndex]?.damage.decode(packet, with: decoder) { left -= $0.width * $0.height }
            guard let track = decoded[packet.streamIndex]?.damage.track else { continue }
            if isForNothing, track.isDecoded { return }
            if left < 0, track.kind == .video, track.sampledFrom == nil {
                decoded[packet.streamIndex]?.damage.sample(from: packet)
            }
        }
        for (number, stream) in decoded { try? decoded[number]?.damage.drain(stream.decoder) { _ in } }
    }

    /// Adds the result of a stream.
    mutating func add(_ damage: StreamDamage, of stream: Int) {
        tracks[stream] = damage.track
        readingWords = readingWords ?? damage.readingWords
    }

    /// Adds the results of other streams of the same file.
    mutating func add(_ other: SourceDamage) {
        tracks.merge(other.tracks) { $1 }
        readingWords = readingWords ?? other.readingWords
    }

    /// The damage of some of the streams.
    func only(_ streams: Set<Int>) -> SourceDamage {
        var result = self
        result.tracks = tracks.filter { streams.contains($0.key) }
        return result
    }

    /// True if there are packets, but nothing can be decoded.
    var isEverything: Bool { !tracks.isEmpty && tracks.values.allSatisfy { !$0.isDecoded && $0.lost.packets > 0 } }

    /// True if anything can be decoded.
    package var hasDecoded: Bool { tracks.values.contains(where: \.isDecoded) }

    /// True if there are no errors.
    var isNone: Bool { readingWords == nil && tracks.values.allSatisfy { $0.words == nil } }

    /// libav's messages, per damaged stream.
    var refusals: [String] {
        tracks.sorted { $0.key < $1.key }.map(\.value).filter { $0.lost.packets > 0 }.compactMap(\.words)
    }

    private mutating func read(_ input: MediaInput, into packet: Packet) throws -> Bool {
        var isRead = false
        do {
            let complaint = try ErrorLog.complaint { isRead = try input.read(into: packet) }
            if isRead, complaint != nil, !CodedFrame.hasPicture(packet, of: input) { return true }
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
