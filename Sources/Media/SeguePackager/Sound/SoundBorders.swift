internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg

/// How much error coding sound in independent pieces leaves at their borders, against the source.
///
/// The pieces are a title's segments, each encoded alone as for a request, then decoded together. The error of a block
/// of 1024 samples is its root mean square over all channels, with full scale as 1. A block belongs to a border if it is
/// the first or the second that a new piece has a part in; the others are inside.
package struct SoundBorders: Sendable, Hashable {
    /// Errors of some blocks.
    package struct Errors: Sendable, Hashable {
        /// How many blocks there are.
        package let blocks: Int
        /// The root mean square of all of them.
        package let mean: Double
        /// What 95 of 100 blocks do not exceed.
        package let percentile95: Double
        /// The greatest.
        package let greatest: Double

        init(_ errors: [Double]) {
            let sorted = errors.sorted()
            blocks = sorted.count
            mean = (sorted.reduce(0) { $0 + $1 * $1 } / Double(max(1, sorted.count))).squareRoot()
            percentile95 = sorted.isEmpty ? 0 : sorted[min(sorted.count * 95 / 100, sorted.count - 1)]
            greatest = sorted.last ?? 0
        }
    }

    /// At borders.
    package let border: Errors
    /// Anywhere else.
    package let inside: Errors
    /// At the same places as at borders, where the sound is coded in one piece.
    package let unbroken: Errors
    /// How many blocks at borders have an error of more than ``tolerance`` times that of the same block in one piece.
    package let worsened: Int
    /// The greatest of these ratios; 1 where there is no border.
    package let worstRatio: Double

    /// How much greater an error may be than in one piece; what is quieter than 16 bits can tell is never too great.
    package static let tolerance = 1.05
    private static let inaudible = 1.0 / 32768

    /// Measures a file's best sound, coded anew even where it could be copied.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - preroll: How many frames are encoded and dropped before each piece; nil for as many as segments have.
    ///   - piece: How long a piece is, in frames.
    ///   - most: How many frames are measured at most, from the beginning.
    ///   - cancellation: Stops it.
    /// - Returns: The errors.
    /// - Throws: ``PackagingError`` or ``MediaError`` where the file has no sound that can be decoded.
    package static func measure(
        path: String,
        preroll: Int? = nil,
        piece: Int = 259,
        most: Int = 12_000,
        cancellation: Cancellation
    ) throws -> SoundBorders {
        let pool = InputPool(path: path)
        let input = try pool.openFresh(cancellation)
        defer { pool.giveBack(input) }
        let index = try IndexScan.run(input, cancellation: cancellation)
        guard let stream = StreamChoice(index: index).audio.first else {
            throw PackagingError(.noSound, file: path, "it has no sound")
        }
        let reader = PacketReader(file: path, index: index, pool: pool, cancellation: cancellation)
        let map = try SoundMap.make(stream, reader: reader)
        let encoder = SoundEncoder(
            index: stream,
            map: map,
            reader: reader,
            preroll: preroll.map(Int64.init) ?? SoundEncoder.preroll
        )
        let size = SoundMap.frame
        let count = min(most, Int(map.outputCount) / size + 1)
        var borders: Set<Int> = []
        var pieces: [[UInt8]] = []
        for start in stride(from: 0, to: count, by: piece) {
            if start > 0 { borders.formUnion([start, start + 1]) }
            pieces += try encoder.frames(start..<min(count, start + piece))
        }
        let source = try SoundCutter(index: stream, map: map, reader: reader, warmUp: 1)
            .samples(-Int64(size)..<Int64((count - 1) * size))
        let broken = try errors(of: pieces, map: map, against: source)
        let whole = try errors(of: encoder.frames(0..<count), map: map, against: source)
        // The first two blocks are the encoder's beginning, the last one its end.
        let blocks = 2..<max(2, count - 1)
        let ratios = blocks.filter(borders.contains).map { max(broken[$0], inaudible) / max(whole[$0], inaudible) }
        return SoundBorders(
            border: Errors(blocks.filter(borders.contains).map { broken[$0] }),
            inside: Errors(blocks.filter { !borders.contains($0) }.map { broken[$0] }),
            unbroken: Errors(blocks.filter(borders.contains).map { whole[$0] }),
            worsened: ratios.count { $0 > tolerance },
            worstRatio: ratios.max() ?? 1
        )
    }

    /// The error of each block of coded frames.
    private static func errors(of frames: [[UInt8]], map: SoundMap, against source: [[Float]]) throws -> [Double] {
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
        let size = SoundMap.frame
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
