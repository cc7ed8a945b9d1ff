package import SegueBase
package import SegueFFmpeg

/// The decoded content of a synthetic title: its frames and audio sections in order.
package struct SyntheticReading: Sendable {
    /// A decoded frame.
    package struct SeenFrame: Sendable, Equatable {
        /// The displayed number; nil if unreadable.
        package var number: Int?
        /// The presentation time, in seconds.
        package var time: Rational?
    }

    /// The decoded audio of one channel.
    package struct Heard: Sendable {
        package var channel: Int
        /// The sections of the signal, in order.
        package var runs: [AudioCodeTrail.Run]
        /// The number of unrecognized samples.
        package var unknownSamples: Int64
        /// The total number of decoded samples.
        package var samples: Int64
        /// The decoded sample rate, in hertz.
        package var rate: Int
        /// The presentation time of the first decoded sample, in seconds.
        package var start: Rational?
    }

    /// The frames in decoder output order.
    package private(set) var frames: [SeenFrame] = []

    /// The first and the last channel of each audio track.
    package private(set) var heard: [[Heard]] = []

    /// The decoders' error messages.
    package private(set) var complaints: [String] = []

    /// Decodes a complete file; the piece's audio tracks correspond to the file's audio streams in order.
    ///
    /// `turn` is the display transform of the source, which is undone in video that was coded upright.
    package init(of input: MediaInput, holding piece: SyntheticTruth.Piece, turn: VideoRotation? = nil) throws {
        var upright: VideoFilter?
        var decoders: [Int: Decoder] = [:]
        var listeners: [Int: SyntheticListener] = [:]
        var film: Int?
        for stream in input.streams where stream.canDecode && !stream.isAttachedPicture {
            switch stream.kind {
            case .video where piece.film != nil && film == nil: film = stream.index
            case .audio where listeners.count < piece.audioTracks.count:
                listeners[stream.index] = SyntheticListener(piece.audioTracks[listeners.count])
            default: continue
            }
            decoders[stream.index] = try Decoder(stream: stream, file: input.name)
        }
        let units = Dictionary(uniqueKeysWithValues: input.streams.map { ($0.index, $0.timeBase) })
        func take(_ packet: Packet?, stream: Int, decoder: Decoder) {
            do {
                try decoder.decode(packet) { frame in
                    let time = frame.bestEffortTimestamp.flatMap { time in units[stream].map { Rational(time) * $0 } }
                    if stream == film {
                        var number: Int?
                        if let turn, !turn.isUpright, input.streams[stream].turn.isUpright {
                            let filters = turn.inverse.filters.joined(separator: ",")
                            let filter = try upright ?? VideoFilter(filters, for: frame)
                            upright = filter
                            try filter.send(frame) { number = FrameCodeReader.number(in: $0) }
                        } else {
                            number = FrameCodeReader.number(in: frame)
                        }
                        frames.append(SeenFrame(number: number, time: time))
                    } else {
                        try listeners[stream]?.hear(frame, at: time)
                    }
                }
            } catch {
                complaints.append("\(error)")
            }
        }
        let packet = Packet()
        while true {
            do {
                guard try input.read(into: packet) else { break }
            } catch {
                complaints.append("\(error)")
                break
            }
            if let decoder = decoders[packet.streamIndex] {
                take(packet, stream: packet.streamIndex, decoder: decoder)
            }
        }
        for (stream, decoder) in decoders.sorted(by: { $0.key < $1.key }) {
            take(nil, stream: stream, decoder: decoder)
        }
        heard = listeners.sorted { $0.key < $1.key }.map { $0.value.finished() }
    }
}

/// Analyzes one audio track.
package final class SyntheticListener {
    private let audio: SyntheticTruth.Audio
    private let floats = PlanarFloats()
    private var trails: [(channel: Int, trail: AudioCodeTrail)] = []
    private var rate = 0
    private var start: Rational?

    /// Creates a listener for a track of known content.
    package init(_ audio: SyntheticTruth.Audio) { self.audio = audio }

    /// Feeds a decoded frame.
    package func hear(_ frame: Frame, at time: Rational?) throws {
        let samples = try floats.samples(of: frame)
        guard !samples.isEmpty else { return }
        if rate == 0 {
            rate = frame.sampleRate
            start = time
            let signal = AudioSignal(seed: audio.seed, rate: rate)
            // The signal's samples at the decoded rate, with a second of margin for codec delays.
            let scale = Rational(Int64(rate), Int64(audio.rate))
            let first = (Rational(audio.first) * scale).floored() - Int64(rate)
            let last = (Rational(audio.first + audio.count) * scale).ceiled() + Int64(rate)
            var channels = [0]
            if samples.count > 1 && samples.count == audio.channels { channels.append(samples.count - 1) }
            trails = channels.map { ($0, AudioCodeTrail(signal: signal, channel: $0, range: first..<last)) }
        }
        for index in trails.indices where trails[index].channel < samples.count {
            trails[index].trail.feed(samples[trails[index].channel])
        }
    }

    /// Returns the result after the last frame.
    package func finished() -> [SyntheticReading.Heard] {
        trails.map { channel, trail in
            var trail = trail
            trail.finish()
            return SyntheticReading.Heard(
                channel: channel,
                runs: trail.runs,
                unknownSamples: trail.unknownSamples,
                samples: trail.fed,
                rate: rate,
                start: start
            )
        }
    }
}

extension FrameCodeReader {
    /// The frame number shown by a decoded frame; nil if there is none or the format is unsupported.
    package static func number(in frame: Frame) -> Int? {
        guard let format = frame.pixelFormat, let plane = frame.plane(0), frame.height > 0 else { return nil }
        let isPlanar = format.hasPrefix("yuv") || format.hasPrefix("gray")
        guard isPlanar, !format.hasSuffix("be") else {
            let width = frame.width
            guard
                let scaler = try? Scaler(
                    from: .init(width: width, height: frame.height, pixelFormat: format),
                    to: .init(width: width, height: frame.height, pixelFormat: "gray")
                ),
                let grey = try? scaler.convert(frame)
            else { return nil }
            return number(in: grey)
        }
        let depth = format.contains("p10") || format.contains("gray10") ? 10 : format.contains("p12") ? 12 : 8
        let stride = frame.lineSize(plane: 0)
        let bytes = depth > 8 ? 2 : 1
        guard stride > 0 else { return nil }
        let luma = UnsafeBufferPointer(start: plane, count: stride * (frame.height - 1) + frame.width * bytes)
        return number(luma: luma, width: frame.width, height: frame.height, stride: stride, depth: depth)
    }
}
