import SegueFFmpeg
import Testing

@Suite struct `Wild samples` {
    private static func wave(_ samples: [Float]) -> [UInt8] {
        func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        let data = samples.flatMap { little($0.bitPattern) }
        let format =
            little(UInt16(3)) + little(UInt16(1)) + little(UInt32(48000)) + little(UInt32(192_000)) + little(UInt16(4))
            + little(UInt16(32))
        return Array("RIFF".utf8) + little(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8)
            + little(UInt32(format.count)) + format + Array("data".utf8) + little(UInt32(data.count)) + data
    }

    @Test func `a non-finite sample is silent, and an excessive one is limited`() throws {
        let samples: [Float] = [0.5, .nan, .infinity, -.infinity, 3e20, -0.25]
        let input = try MediaInput(bytes: Self.wave(samples), name: "wild.wav")
        let decoder = try Decoder(stream: input.streams[0], file: "wild.wav")
        let floats = PlanarFloats()
        var decoded: [Float] = []
        let packet = Packet()
        while try input.read(into: packet) {
            try decoder.decode(packet) { decoded += try floats.samples(of: $0)[0] }
        }
        #expect(decoded == [0.5, 0, 10_000, -10_000, 10_000, -0.25])
    }
}
