internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg

/// The coding error at boundaries between independently encoded segments, against the source.
///
/// Each segment is encoded as for a request, and all are decoded together. A block's error is its RMS over 1024 samples
/// and all channels, relative to full scale. The first two blocks with samples of a new segment count as boundary
/// blocks.
package struct AudioBoundaries: Sendable, Hashable {
    /// Error statistics over blocks.
    package struct Errors: Sendable, Hashable {
        /// The number of blocks.
        package let blocks: Int
        /// The RMS of all errors.
        package let mean: Double
        /// The 95th percentile.
        package let percentile95: Double
        package let greatest: Double

        init(_ errors: [Double]) {
            let sorted = errors.sorted()
            blocks = sorted.count
            mean = (sorted.reduce(0) { $0 + $1 * $1 } / Double(max(1, sorted.count))).squareRoot()
            percentile95 = sorted.isEmpty ? 0 : sorted[min(sorted.count * 95 / 100, sorted.count - 1)]
            greatest = sorted.last ?? 0
        }
    }

    /// The errors at boundaries.
    package let border: Errors
    /// The errors elsewhere.
    package let inside: Errors
    /// The errors of the boundary blocks if the audio is encoded in one piece.
    package let unbroken: Errors
    /// The number of boundary blocks with an error above ``tolerance`` times that of encoding in one piece.
    package let worsened: Int
    /// The maximum of these ratios; 1 without boundaries.
    package let worstRatio: Double

    /// The allowed ratio to the error of encoding in one piece; errors below 16-bit resolution are always allowed.
    package static let tolerance = 1.05
    private static let inaudible = 1.0 / 32768

    /// Measures a file's best audio track, which is transcoded even if it could be copied.
    ///
    /// - Parameters:
    ///   - preroll: The number of frames encoded and discarded before each piece; nil for the packager's default.
    ///   - piece: The piece length, in frames.
    ///   - most: The maximum number of frames measured, from the start.
    /// - Returns: The errors.
    /// - Throws: ``PackagingError`` or ``MediaError`` if the file has no decodable audio.
    package static func measure(
        path: String,
        preroll: Int? = nil,
        piece: Int = 259,
        most: Int = 12_000,
        cancellation: Cancellation
    ) throws -> AudioBoundaries {
        let pool = InputPool(path: path)
        let input = try pool.openFresh(cancellation)
        defer { pool.giveBack(input) }
        let index = try IndexScan.run(input, cancellation: cancellation)
        guard let stream = StreamChoice(index: index).audio.first else {
            throw PackagingError(.noAudio, file: path, "the file has no audio")
        }
        let reader = PacketReader(file: path, index: index, pool: pool, cancellation: cancellation)
        let map = try AudioMap.make(stream, reader: reader)
        let encoder = AudioTranscoder(
            index: stream,
            map: map,
            reader: reader,
            preroll: preroll.map(Int64.init) ?? AudioTranscoder.preroll
        )
        let size = AudioMap.frame
        let count = min(most, Int(map.outputCount) / size + 1)
        var borders: Set<Int> = []
        var pieces: [[UInt8]] = []
        for start in stride(from: 0, to: count, by: piece) {
            if start > 0 { borders.formUnion([start, start + 1]) }
            pieces += try encoder.frames(start..<min(count, start + piece))
        }
        let source = try AudioCutter(index: stream, map: map, reader: reader, warmUp: 1)
            .samples(-Int64(size)..<Int64((count - 1) * size))
        let broken = try errors(of: pieces, map: map, against: source)
        let whole = try errors(of: encoder.frames(0..<count), map: map, against: source)
        // The first two blocks contain the encoder's start, the last one its end.
        let blocks = 2..<max(2, count - 1)
        let ratios = blocks.filter(borders.contains).map { max(broken[$0], inaudible) / max(whole[$0], inaudible) }
        return AudioBoundaries(
            border: Errors(blocks.filter(borders.contains).map { broken[$0] }),
            inside: Errors(blocks.filter { !borders.contains($0) }.map { broken[$0] }),
            unbroken: Errors(blocks.filter(borders.contains).map { whole[$0] }),
            worsened: ratios.count { $0 > tolerance },
            worstRatio: ratios.max() ?? 1
        )
    }

    /// The errors of coded frames, by block.
    private static func errors(of frames: [[UInt8]], map: AudioMap, against source: [[Float]]) throws -> [Double] {
        let configuration = AACConfiguration(
            objectType: 2,
            rateIndex: AACConfiguration.rates.firstIndex(of: map.outputRate) ?? 4,
            channelConfiguration: map.outputChannels
        )
        var bytes: [UInt8] = []
        for frame in frames {
            ADTSHeader.write(configuration, payload: frame.count, into: &bytes)
            bytes += frame
        }
        let decoded = try decode(bytes, channels: map.outputChannels)
        let size = AudioMap.frame
        return frames.indices.map { block in
            var sum = 0.0
            for channel in 0..<map.outputChannels where decoded[channel].count >= (block + 1) * size {
                for place in block * size..<(block + 1) * size {
                    let error = Double(decoded[channel][place] - source[channel][place])
                    sum += error * error
                }
            }
            return (sum / Double(size * map.outputChannels)).squareRoot()
        }
    }

    private static func decode(_ bytes: [UInt8], channels: Int) throws -> [[Float]] {
        let input = try MediaInput(bytes: bytes, name: "pieces", format: "aac")
        var result = [[Float]](repeating: [], count: channels)
        guard let stream = input.streams.first else { return result }
        let decoder = try Decoder(stream: stream, file: input.name)
        let floats = PlanarFloats()
        let take = { (frame: Frame) in
            for (channel, samples) in try floats.samples(of: frame).enumerated() where channel < channels {
                result[channel] += samples
            }
        }
        let packet = Packet()
        while try input.read(into: packet) { try decoder.decode(packet, take) }
        try decoder.decode(nil, take)
        return result
    }
}
