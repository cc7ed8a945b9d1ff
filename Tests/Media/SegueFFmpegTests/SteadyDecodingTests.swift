import SegueFFmpeg
import SegueTestSupport
import Testing

@Suite struct `Decoding from the middle` {
    /// A tone needs few bands; the decoder fills the others with its own noise.
    @Test(arguments: ["ac3", "eac3"]) func `gives the samples that decoding from the beginning gives`(codec: String)
        throws
    {
        let file = try TinyMedia.audio(
            codec: codec,
            format: codec,
            samples: 48_000,
            rate: 48_000,
            quality: .bitRate(96_000)
        )
        func samples(from first: Int) throws -> [[Float]] {
            let input = try MediaInput(bytes: file, name: "tone.\(codec)")
            let decoder = try Decoder(stream: try #require(input.streams.first), file: input.name)
            let packet = Packet()
            var (number, frames) = (0, [[Float]]())
            while try input.read(into: packet) {
                defer { number += 1 }
                guard number >= first else { continue }
                try decoder.decode(packet) { frame in
                    let count = frame.sampleCount
                    let plane = try #require(frame.plane(0))
                    frames.append(
                        plane.withMemoryRebound(to: Float.self, capacity: count) {
                            Array(UnsafeBufferPointer(start: $0, count: count))
                        }
                    )
                }
            }
            return frames
        }
        let (whole, late) = (try samples(from: 0), try samples(from: 10))
        #expect(whole.count > 25 && late.count == whole.count - 10)
        // The first frame fades in from the preceding audio.
        #expect(Array(late.dropFirst(2)) == Array(whole.dropFirst(12)))
    }
}
