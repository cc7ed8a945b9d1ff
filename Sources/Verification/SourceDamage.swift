package import Media
internal import Timeline

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

        fileprivate mutating func add(_ packet: Packet, of stream: StreamInfo) {
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

    private var left = SourceDamage.pixels

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
        var decoders: [Int: (decoder: Decoder, stream: StreamInfo)] = [:]
        for stream in input.streams where streams.contains(stream.index) {
            tracks[stream.index] = Track(kind: stream.kind, codec: stream.codec)
            tracks[stream.index]?.words = try ErrorLog.complaint {
                // Filtering edges shows no errors, and takes a third of the time.
                let decoder = try Decoder(stream: stream, file: path, options: ["skip_loop_filter": "all"])
                decoders[stream.index] = (decoder, stream)
            }
        }
        input.readAsOneRun()
        let packet = Packet()
        while try read(input, into: packet) {
            if let (decoder, stream) = decoders[packet.streamIndex] { decode(packet, stream, decoder) }
            if isForNothing, hasDecoded { return }
        }
        for (number, opened) in decoders { drain(opened.decoder, number) }
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

    private mutating func decode(_ packet: Packet, _ stream: StreamInfo, _ decoder: Decoder) {
        guard var track = tracks[stream.index], packet.size > 0 else { return }
        track.whole.add(packet, of: stream)
        defer { tracks[stream.index] = track }
        if track.sampledFrom != nil {
            guard packet.isKey else { return }
            decoder.flush()
        }
        var (isMarred, isDecoded) = (false, false)
        do {
            let complaint = try ErrorLog.complaint {
                try decoder.decode(packet) { frame in
                    isDecoded = true
                    isMarred = isMarred || frame.isDamaged
                    left -= frame.width * frame.height
                }
            }
            if isMarred || complaint != nil {
                track.marred.add(packet, of: stream)
                track.words = track.words ?? complaint ?? "a picture is marked as damaged"
            }
        } catch {
            track.lost.add(packet, of: stream)
            track.words = track.words ?? (error as? MediaError)?.message ?? "\(error)"
        }
        track.isDecoded = track.isDecoded || isDecoded
        if left < 0, track.kind == .video, track.sampledFrom == nil {
            track.sampledFrom = SourceDamage.time(of: packet, stream)
        }
    }

    private mutating func drain(_ decoder: Decoder, _ number: Int) {
        let complaint = try? ErrorLog.complaint { try decoder.decode(nil) { _ in tracks[number]?.isDecoded = true } }
        if let complaint, tracks[number]?.words == nil { tracks[number]?.words = complaint }
    }

    fileprivate static func time(of packet: Packet, _ stream: StreamInfo) -> Double? {
        (packet.pts ?? packet.dts).map { (Rational($0) * stream.timeBase).seconds }
    }

    fileprivate static func length(of packet: Packet, _ stream: StreamInfo) -> Double {
        if packet.duration > 0 { return (Rational(packet.duration) * stream.timeBase).seconds }
        guard stream.kind == .audio, stream.sampleRate > 0 else { return 0 }
        return Double(stream.frameSize) / Double(stream.sampleRate)
    }
}
