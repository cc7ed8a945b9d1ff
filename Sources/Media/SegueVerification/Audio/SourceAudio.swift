internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// A source's audio as a direct sequential decode gives it, frame by frame.
final class SourceAudio {
    /// The number of samples per channel so far, at the output rate.
    private(set) var count: Int64 = 0
    /// The times of the frames so far.
    private(set) var timeline: SourceTimeline
    private var refused: RefusedPackets
    /// The packets so far.
    private(set) var packets: [AudioPacket] = []
    /// The decoder configuration for them.
    var setUp: AudioPackets.SetUp { AudioPackets.SetUp(stream) }
    /// The number of samples per packet; 0 if it varies or is unknown.
    var frameSize: Int { packets.first?.samples ?? 0 }
    /// The declared padding at the end, which the decoder discards.
    private(set) var paddingSamples = 0
    /// The libav errors on the way.
    var complaints: [String] { refused.complaints }

    private let input: MediaInput
    private let decoder: Decoder
    private var damage: StreamDamage
    private let known: KnownDamage
    private let stream: StreamInfo
    /// The number of channels that it is converted to.
    var channels: Int { output.layout.channels }
    /// The source's sample rate, in hertz.
    var sourceRate: Int { stream.sampleRate }
    private let packet = Packet()
    private let output: OutputConversion
    private let fillsHoles: Bool
    private var ready: [Piece] = []
    private var hasEnded = false

    private enum Piece {
        case samples([[Float]])
        /// A number of samples.
        case silence(Int64)
    }

    /// Opens a source.
    ///
    /// - Parameters:
    ///   - stream: The number of its audio stream.
    ///   - rate: The output sample rate, in hertz.
    ///   - fillsHoles: True if silence takes the place of holes in the timestamps, as in transcoded audio.
    ///   - known: Receives the damage after complete decoding.
    /// - Throws: ``MediaError`` if the file or the codec cannot be opened.
    init(
        path: String,
        stream: Int,
        rate: Int,
        layout: ChannelLayout,
        fillsHoles: Bool = false,
        known: KnownDamage,
        cancellation: Cancellation
    ) throws {
        self.fillsHoles = fillsHoles
        input = try MediaInput(path: path, cancellation: cancellation)
        guard let info = input.streams.first(where: { $0.index == stream }) else {
            throw MediaError(call: "open", file: path, message: "the file has no stream \(stream)")
        }
        self.stream = info
        output = OutputConversion(rate: rate, layout: layout)
        refused = RefusedPackets(rate: rate)
        let hasVideo = input.streams.contains { $0.kind == .video && !$0.isAttachedPicture }
        timeline = SourceTimeline(unit: info.timeBase, rate: rate, hasVideo: hasVideo)
        var damage = StreamDamage(of: info)
        decoder = try damage.open { try Decoder(stream: info, file: path) }
        (self.damage, self.known) = (damage, known)
        input.readAsOneRun()
    }

    /// The next samples by channel; nil at the end.
    func next() throws -> [[Float]]? {
        while ready.isEmpty, !hasEnded { try read() }
        switch ready.first {
        case nil: return nil
        case .samples(let samples):
            ready.removeFirst()
            return samples
        case .silence(let left):
            // A second at a time, since a hole may take an hour.
            let length = Int(min(left, Int64(output.rate)))
            if Int64(length) < left { ready[0] = .silence(left - Int64(length)) } else { ready.removeFirst() }
            return Array(repeating: Array(repeating: 0, count: length), count: channels)
        }
    }

    /// True if libav refuses more than 1% of the packets of a predictive codec, whose output then depends on where
    /// decoding starts.
    var isMarredAllOver: Bool {
        Self.predicting.contains(stream.codec)
            && refused.count > (timeline.heardFrames + refused.count) / 100 + 1
    }

    /// The speech codecs with unlimited memory.
    private static let predicting: Set<String> = [
        "amr_nb", "amr_wb", "evrc", "g723_1", "g729", "gsm", "gsm_ms", "qcelp", "ra_144", "ra_288", "sipr", "speex",
        "truespeech", "wmavoice",
    ]

    /// True if a sample is at or shortly after a packet refused by libav.
    func isMarred(_ sample: Int64) -> Bool { refused.isNear(sample) }

    private func read() throws {
        do {
            if try damage.read(input, into: packet) {
                if packet.streamIndex == stream.index {
                    packets.append(AudioPacket(packet, stream))
                    paddingSamples += packet.skippedSamples?.end ?? 0
                    decode(packet)
                }
                return
            }
            decode(nil)
            known.keep(damage, of: stream.index)
        } catch let error as MediaError {
            guard !error.isCancelled else { throw error }
            refused.add(error, at: count)
            decode(nil)
        }
        if let rest = try? output.rest() { give(rest) }
        hasEnded = true
    }

    private func decode(_ packet: Packet?) {
        do {
            if let packet {
                try damage.decode(packet, with: decoder) { frame in try take(frame) }
            } else {
                try damage.drain(decoder) { frame in try take(frame) }
            }
        } catch {
            refused.add(error, at: count)
        }
    }

    private func take(_ frame: Frame) throws {
        guard frame.sampleCount > 0 else { return }
        if fillsHoles, timeline.hole(before: frame, at: count) != nil {
            // A rate converter holds samples back.
            if let rest = try output.rest() { give(rest) }
        }
        if fillsHoles, let hole = timeline.hole(before: frame, at: count) {
            timeline.fill(hole)
            let silence = Int64((hole * Double(output.rate)).rounded())
            count += silence
            ready.append(.silence(silence))
        }
        timeline.add(frame, at: count)
        try output.convert(frame) { give($0) }
    }

    private func give(_ frame: Frame) {
        guard let samples = try? output.samples(of: frame), let length = samples.first?.count, length > 0 else {
            return
        }
        count += Int64(length)
        ready.append(.samples(samples))
    }
}
