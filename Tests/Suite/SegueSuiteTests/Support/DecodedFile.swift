import SegueFFmpeg
import Testing

/// A completely decoded audio file.
enum DecodedFile {
    /// The samples of each channel.
    static func samples(of path: String) throws -> [[Float]] {
        let input = try MediaInput(path: path)
        let stream = try #require(input.streams.first)
        let decoder = try Decoder(stream: stream, file: path)
        let floats = PlanarFloats()
        var samples: [[Float]] = []
        let packet = Packet()
        while try input.read(into: packet) {
            try decoder.decode(packet) { frame in
                for (channel, more) in try floats.samples(of: frame).enumerated() {
                    if samples.count == channel { samples.append([]) }
                    samples[channel] += more
                }
            }
        }
        return samples
    }
}
