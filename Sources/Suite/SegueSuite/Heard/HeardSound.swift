package import SegueBase
internal import SegueFFmpeg
package import SeguePlayerModel

/// What was heard in a run, from the very bytes that were delivered.
package struct HeardSound {
    /// A stretch as it lies in the file that was written.
    package struct Range: Sendable, Equatable {
        /// The item.
        package let item: ItemID
        /// The first sample in the file.
        package let place: Int64
        /// The samples of the source, at the source's rate.
        package let samples: Swift.Range<Int64>
        /// The source's samples a second.
        package let rate: Int
        /// How fast it was played.
        package let speed: Double
        /// Samples that the player took for played and that were not in what was delivered.
        package let undelivered: Int64
    }

    /// What was written.
    package struct Summary: Sendable, Equatable {
        /// Samples a second of the file.
        package let rate: Int
        /// Channels of the file.
        package let channels: Int
        /// How many samples a channel it has.
        package let count: Int64
        /// The stretches in it, in order; silence is between them.
        package let ranges: [Range]
    }

    private static let silentFormat = (rate: 48_000, channels: 2)

    /// What was played, heard or not.
    let all: [AudioTrail.Stretch]
    private let stretches: [AudioTrail.Stretch]
    private let end: Instant
    let source: SoundSource

    /// What was heard in a run.
    ///
    /// - Parameters:
    ///   - end: When the run was over.
    ///   - sourceOf: The source that an item is of; items of one source are renditions of it.
    package init(
        _ media: DeliveredMedia,
        stretches: [AudioTrail.Stretch],
        end: Instant,
        source sourceOf: @escaping (ItemID) -> Int
    ) {
        all = stretches
        self.stretches = stretches.filter(\.isHeard)
        self.end = end
        source = SoundSource(media, source: sourceOf)
    }

    /// The sample rate and the channels of the first sound; nil when none can be decoded.
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

    /// Writes it all, silence included, in real order and time from the run's beginning.
    ///
    /// What has another sample rate than the first sound, other channels or another speed is resampled. Of a run in
    /// which
    /// nothing was heard it is silence, at 48 kHz and in stereo.
    ///
    /// - Throws: ``HeardSoundError`` when what was heard cannot be decoded or a file cannot be written or read,
    ///   `MediaError` when sound
    ///   cannot be resampled.
    package func write(to path: String) throws -> Summary {
        let format: (rate: Int, channels: Int)
        if let found = try self.format() {
            format = found
        } else if stretches.isEmpty {
            format = HeardSound.silentFormat
        } else {
            throw HeardSoundError("nothing of what was heard can be decoded")
        }
        let file = try WaveFile(path: path, rate: format.rate, channels: format.channels)
        var ranges: [Range] = []
        // Where the file is, on the clock: silence is as long as the clock says, sound as long as its samples are.
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

    /// Writes a stretch; says by how many samples it became longer than it was, which only resampling does.
    private func write(_ stretch: AudioTrail.Stretch, to file: WaveFile) throws -> (Range, surplus: Int64) {
        let place = file.count
        var rate = file.rate
        var next: Int64?
        var undelivered: Int64 = 0
        var converter: SoundConverter?
        try source.read(stretch) { part in
            rate = part.rate
            let from = next ?? stretch.samples(rate: rate).lowerBound
            let converted = try SoundConverter.reused(converter, for: part, speed: stretch.rate, file)
            converter = converted
            if part.first > from {
                undelivered += part.first - from
                try converted.silence(part.first - from, file)
            }
            // What overlaps the sound before it was heard already.
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

/// Brings sound to the rate and the channels of a file; sound that has them already goes through untouched.
private final class SoundConverter {
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
                from: max(1, Int((Double(rate) * speed).rounded())),
                inputLayout: ChannelLayout(channels: channels),
                inputFormat: "fltp",
                to: file.rate,
                outputLayout: ChannelLayout(channels: file.channels),
                outputFormat: "fltp"
            )
    }

    static func reused(
        _ former: SoundConverter?,
        for part: SoundSource.Part,
        speed: Double,
        _ file: WaveFile
    ) throws -> SoundConverter {
        if let former, former.rate == part.rate, former.channels == part.samples.count { return former }
        try former?.drain(file)
        return try SoundConverter(rate: part.rate, channels: part.samples.count, speed: speed, file)
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
