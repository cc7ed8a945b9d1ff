package import SegueBase
internal import SegueFFmpeg
package import SeguePlayerModel

/// The audio that was heard in a run, decoded from the delivered bytes.
package struct HeardAudio {
    /// A stretch in the output file.
    package struct Range: Sendable, Equatable {
        package let item: ItemID
        /// The index of the first sample in the file.
        package let place: Int64
        /// The samples of the source, at the source's rate.
        package let samples: Swift.Range<Int64>
        /// The sample rate of the source.
        package let rate: Int
        /// The playback rate.
        package let speed: Double
        /// Samples that the player counted as played but that were not delivered.
        package let undelivered: Int64
    }

    /// The content of the output file.
    package struct Summary: Sendable, Equatable {
        /// The sample rate of the file.
        package let rate: Int
        package let channels: Int
        /// The number of samples per channel.
        package let count: Int64
        /// The stretches in the file, in order and separated by silence.
        package let ranges: [Range]
    }

    private static let silentFormat = (rate: 48_000, channels: 2)

    /// All stretches, with audio or without.
    let all: [AudioTrail.Stretch]
    private let stretches: [AudioTrail.Stretch]
    private let end: Instant
    let source: DeliveredAudioReader

    /// `end` is the end of the run.
    ///
    /// `sourceOf` is the source of an item; renditions of one source share it.
    package init(
        _ media: DeliveredMedia,
        stretches: [AudioTrail.Stretch],
        end: Instant,
        source sourceOf: @escaping (ItemID) -> Int
    ) {
        all = stretches
        self.stretches = stretches.filter(\.isHeard)
        self.end = end
        source = DeliveredAudioReader(media, source: sourceOf)
    }

    /// The sample rate and channels of the first decodable audio; nil without any.
    package func format() throws -> (rate: Int, channels: Int)? {
        for stretch in stretches {
            var found: (rate: Int, channels: Int)?
            try source.read(stretch) { part in
                found = (part.rate, part.samples.count)
                return false
            }
            if let found { return found }
        }
        return nil
    }

    /// Writes the audio in real order and time, including silence.
    ///
    /// Audio with another sample rate, channel layout, or speed than the first is resampled. A run without audio
    /// becomes silence at 48 kHz in stereo.
    ///
    /// - Throws: ``HeardAudioError`` if audio cannot be decoded or a file cannot be written or read, `MediaError` if
    ///   audio cannot be resampled.
    package func write(to path: String) throws -> Summary {
        let format: (rate: Int, channels: Int)
        if let found = try self.format() {
            format = found
        } else if stretches.isEmpty {
            format = HeardAudio.silentFormat
        } else {
            throw HeardAudioError("none of the audio can be decoded")
        }
        let file = try WaveFile(path: path, rate: format.rate, channels: format.channels)
        var ranges: [Range] = []
        // The clock position of the file's end: silence lasts by the clock, audio by its samples.
        var clock: Int64 = 0
        for stretch in stretches {
            let began = stretch.began.samples(rate: format.rate)
            try file.writeSilence(max(0, began - clock))
            let (range, surplus) = try write(stretch, to: file)
            clock = stretch.ended.samples(rate: format.rate) + surplus
            ranges.append(range)
        }
        try file.writeSilence(max(0, end.samples(rate: format.rate) - clock))
        try file.close()
        return Summary(rate: format.rate, channels: format.channels, count: file.count, ranges: ranges)
    }

    /// Writes a stretch, and returns the number of samples by which resampling made it longer.
    private func write(_ stretch: AudioTrail.Stretch, to file: WaveFile) throws -> (Range, surplus: Int64) {
        let place = file.count
        var rate = file.rate
        var next: Int64?
        var undelivered: Int64 = 0
        var converter: AudioConverter?
        try source.read(stretch) { part in
            rate = part.rate
            let from = next ?? stretch.samples(rate: rate).lowerBound
            let converted = try AudioConverter.reused(converter, for: part, speed: stretch.rate, file)
            converter = converted
            if part.first > from {
                undelivered += part.first - from
                try converted.silence(part.first - from, file)
            }
            // Samples that overlap earlier audio were already heard.
            let late = Int(max(0, from - part.first))
            guard late < part.samples.first?.count ?? 0 else { return true }
            try converted.write(part.samples.map { Array($0.dropFirst(late)) }, file)
            next = part.end
            return true
        }
        try converter?.drain(file)
        let samples = stretch.samples(rate: rate)
        let missing = samples.upperBound - max(next ?? samples.lowerBound, samples.lowerBound)
        undelivered += max(0, missing)
        let speed = stretch.rate * Double(rate) / Double(file.rate)
        let length =
            speed == 1
            ? Int64(samples.count) : stretch.ended.samples(rate: file.rate) - stretch.began.samples(rate: file.rate)
        try file.writeSilence(max(0, place + length - file.count))
        let range = Range(
            item: stretch.item,
            place: place,
            samples: samples,
            rate: rate,
            speed: stretch.rate,
            undelivered: undelivered
        )
        return (range, max(0, file.count - place - length))
    }
}

/// Converts audio to the rate and channels of a file; matching audio passes unchanged.
private final class AudioConverter {
    private let rate: Int
    private let channels: Int
    private let speed: Double
    private let resampler: Resampler?
    private let floats = PlanarFloats()

    private init(rate: Int, channels: Int, speed: Double, _ file: WaveFile) throws {
        (self.rate, self.channels, self.speed) = (rate, channels, speed)
        let isSame = rate == file.rate && channels == file.channels && speed == 1
        resampler =
            isSame
            ? nil
            : try Resampler(
                from: .init(
                    rate: max(1, Int((Double(rate) * speed).rounded())),
                    layout: ChannelLayout(channels: channels),
                    sampleFormat: "fltp"
                ),
                to: .init(rate: file.rate, layout: ChannelLayout(channels: file.channels), sampleFormat: "fltp")
            )
    }

    static func reused(
        _ former: AudioConverter?,
        for part: DeliveredAudioReader.Part,
        speed: Double,
        _ file: WaveFile
    ) throws -> AudioConverter {
        if let former, former.rate == part.rate, former.channels == part.samples.count { return former }
        try former?.drain(file)
        return try AudioConverter(rate: part.rate, channels: part.samples.count, speed: speed, file)
    }

    func write(_ samples: [[Float]], _ file: WaveFile) throws {
        guard let resampler else { return try file.write(samples) }
        let frame = try Frame(planes: samples, rate: resampler.inputRate)
        if let converted = try resampler.convert(frame) { try file.write(floats.samples(of: converted)) }
    }

    func silence(_ count: Int64, _ file: WaveFile) throws {
        guard resampler != nil else { return try file.writeSilence(count) }
        var left = Int(count)
        while left > 0 {
            let part = min(left, 1 << 15)
            try write(Array(repeating: Array(repeating: 0, count: part), count: channels), file)
            left -= part
        }
    }

    func drain(_ file: WaveFile) throws {
        guard let resampler else { return }
        while let rest = try resampler.convert(nil) { try file.write(floats.samples(of: rest)) }
    }
}
