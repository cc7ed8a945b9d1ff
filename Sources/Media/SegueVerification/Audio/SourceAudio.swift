internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// A source's audio as a direct sequential decode gives it, frame by frame.
final class SourceAudio {
    /// The libav errors on the way.
    private(set) var complaints: [String] = []
    /// The number of samples per channel so far, at the output rate.
    private(set) var count: Int64 = 0
    /// Gaps and backward steps in the source's timestamps: the sample and the duration in seconds.
    private(set) var jumps: [(sample: Int64, seconds: Double)] = []
    /// Sections around refused packets, extended until audio can be in sync again, in which decoders may bridge the
    /// loss differently.
    private var marred: [ClosedRange<Int64>] = []
    /// The packets so far.
    private(set) var packets: [AudioPacket] = []
    /// The decoder configuration for them.
    var setUp: AudioPackets.SetUp { AudioPackets.SetUp(stream) }
    /// The number of samples per packet; 0 if it varies or is unknown.
    var frameSize: Int { packets.first?.samples ?? 0 }
    /// The declared padding at the end, which the decoder discards.
    private(set) var paddingSamples = 0
    /// The unit of the source's timestamps, in seconds.
    let unit: Double

    private let input: MediaInput
    private let decoder: Decoder
    private var damage: StreamDamage
    private let known: KnownDamage
    private let stream: StreamInfo
    private let rate: Int
    /// The source's sample rate, in hertz.
    var sourceRate: Int { stream.sampleRate }
    private let layout: ChannelLayout
    private let packet = Packet()
    private let floats = PlanarFloats()
    private var resampler: (value: Resampler, format: String, rate: Int, layout: String)?
    private var ready: [[[Float]]] = []
    private var hasEnded = false
    private var frames: [(sample: Int64, time: Double, due: ClosedRange<Double>)] = []
    private var due = DueTimes()
    private var heardFrames = 0
    private var refused = 0
    private var framesBeforeJump = 0
    private var expected: Double?
    /// True if the file also has video.
    let hasPictures: Bool

    /// The number of frame times kept for comparison.
    private static let keptFrames = 8192

    /// Opens a source.
    ///
    /// - Parameters:
    ///   - stream: The number of its audio stream.
    ///   - rate: The output sample rate, in hertz.
    ///   - known: Receives the damage after complete decoding.
    /// - Throws: ``MediaError`` if the file or the codec cannot be opened.
    init(
        path: String,
        stream: Int,
        rate: Int,
        layout: ChannelLayout,
        known: KnownDamage,
        cancellation: Cancellation
    ) throws {
        input = try MediaInput(path: path, cancellation: cancellation)
        guard let info = input.streams.first(where: { $0.index == stream }) else {
            throw MediaError(call: "open", file: path, message: "the file has no stream \(stream)")
        }
        self.stream = info
        self.rate = rate
        self.layout = layout
        unit = info.timeBase.seconds
        hasPictures = input.streams.contains { $0.kind == .video && !$0.isAttachedPicture }
        var damage = StreamDamage(of: info)
        decoder = try damage.open { try Decoder(stream: info, file: path) }
        (self.damage, self.known) = (damage, known)
        input.readAsOneRun()
    }

    /// The next samples by channel; nil at the end.
    func next() throws -> [[Float]]? {
        while ready.isEmpty, !hasEnded { try read() }
        return ready.isEmpty ? nil : ready.removeFirst()
    }

    /// True if libav refuses more than 1% of the packets of a predictive codec, whose output then depends on where
    /// decoding starts.
    var isMarredAllOver: Bool { Self.predicting.contains(stream.codec) && refused > (heardFrames + refused) / 100 + 1 }

    /// The speech codecs with unlimited memory.
    private static let predicting: Set<String> = [
        "amr_nb", "amr_wb", "evrc", "g723_1", "g729", "gsm", "gsm_ms", "qcelp", "ra_144", "ra_288", "sipr", "speex",
        "truespeech", "wmavoice",
    ]

    /// True if a sample is at or shortly after a packet refused by libav.
    func isMarred(_ sample: Int64) -> Bool {
        marred.last { $0.lowerBound <= sample }.map { $0.contains(sample) } ?? false
    }

    /// True if the source's timestamps determine the audio's timing.
    var tellsTimes: Bool {
        Self.tellsTimes(jumps: jumps.map(\.seconds), frames: heardFrames, beforeJump: framesBeforeJump)
    }

    /// True if timestamps with some jumps determine the timing.
    ///
    /// They do not if they contradict the sample count repeatedly and drift away, or if all but the first few are
    /// offset by a second or more.
    static func tellsTimes(jumps: [Double], frames: Int, beforeJump: Int) -> Bool {
        if beforeJump <= OutlierTimestamps.most, let first = jumps.first, first < -OutlierTimestamps.distance {
            return false
        }
        let small = jumps.filter { abs($0) < DueTimes.hole }
        var (sum, greatest) = (0.0, 0.0)
        for jump in small {
            sum += jump
            greatest = max(greatest, abs(sum))
        }
        return small.count <= max(8, frames / 10) || greatest < DueTimes.hole
    }

    /// The declared and acceptable presentation times of a sample, in seconds; nil if unknown or no longer kept.
    func time(of sample: Int64) -> (said: Double, due: ClosedRange<Double>)? {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].sample <= sample { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let frame = frames[low - 1]
        let inside = Double(sample - frame.sample) / Double(rate)
        let due = frame.due.lowerBound + inside...frame.due.upperBound + inside
        guard !hasPictures, let counted = countedTime(of: sample) else { return (frame.time + inside, due) }
        return (counted, min(counted, due.lowerBound)...max(counted, due.upperBound))
    }

    /// The presentation time of a sample without video: the sample count from the first timestamp, re-anchored at
    /// jumps, because rounding may accumulate.
    private func countedTime(of sample: Int64) -> Double? {
        guard let first = frames.first else { return nil }
        let jumped = jumps.reduce(0) { $0 + ($1.sample <= sample ? $1.seconds : 0) }
        return first.time + Double(sample - first.sample) / Double(rate) + jumped
    }

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
            complain(error)
            decode(nil)
        }
        if let rest = try? resampler?.value.convert(nil) { give(rest) }
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
            complain(error)
        }
    }

    private func complain(_ error: any Error) {
        if complaints.count < 100 { complaints.append("\(error)") }
        refused += 1
        let end = count + Int64(2 * rate)
        let start = max(0, count - Int64(rate / 4))
        if let last = marred.last, start <= last.upperBound {
            marred[marred.count - 1] = last.lowerBound...end
        } else {
            marred.append(start...end)
        }
    }

    private func take(_ frame: Frame) throws {
        guard frame.sampleCount > 0 else { return }
        let length = Double(frame.sampleCount) / Double(frame.sampleRate)
        let said = frame.bestEffortTimestamp.map { (Rational($0) * stream.timeBase).seconds }
        let due = self.due.add(said, length: length)
        if let time = said, let due {
            if let expected, abs(time - expected) > max(0.005, 2.5 * unit) {
                if jumps.isEmpty { framesBeforeJump = heardFrames }
                if jumps.count < 10_000 { jumps.append((count, time - expected)) }
            }
            frames.append((count, time, due))
            if frames.count > 2 * Self.keptFrames { frames.removeSubrange(1...Self.keptFrames) }
            expected = time
        }
        expected = expected.map { $0 + length }
        heardFrames += 1
        try convert(frame)
    }

    private func convert(_ frame: Frame) throws {
        let frameLayout = frame.layout
        let isRight = frame.sampleRate == rate && frameLayout.channels == layout.channels
        guard !isRight || resampler != nil else {
            give(frame)
            return
        }
        let format = frame.sampleFormat ?? ""
        if let resampler,
            resampler.format != format || resampler.rate != frame.sampleRate || resampler.layout != frameLayout.name
        {
            if let rest = try resampler.value.convert(nil) { give(rest) }
            self.resampler = nil
        }
        if resampler == nil {
            let made = try Resampler(
                from: .init(rate: frame.sampleRate, layout: frameLayout, sampleFormat: format),
                to: .init(rate: rate, layout: layout, sampleFormat: "fltp")
            )
            resampler = (made, format, frame.sampleRate, frameLayout.name)
        }
        if let converted = try resampler?.value.convert(frame) { give(converted) }
    }

    private func give(_ frame: Frame) {
        guard let samples = try? floats.samples(of: frame), let length = samples.first?.count, length > 0 else {
            return
        }
        count += Int64(length)
        ready.append(samples)
    }
}
