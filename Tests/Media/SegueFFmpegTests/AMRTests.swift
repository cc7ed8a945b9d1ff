import SegueFFmpeg
import Testing

@Suite struct `AMR` {
    /// A frame of AMR at 7.40 kbit/s: 20 bytes, 160 samples (RFC 4867, table 1a).
    private static let frame: [UInt8] = [4 << 3 | 4] + [UInt8](repeating: 0x5A, count: 19)

    @Test(arguments: [1, 2, 5, 10])
    func `every frame of a packet is decoded`(frames: Int) throws {
        let file = Array("#!AMR\n".utf8) + Self.frame + Self.frame
        let input = try MediaInput(bytes: file, name: "tiny.amr")
        let decoder = try Decoder(stream: try #require(input.streams.first), file: "tiny.amr")
        let packet = Packet(bytes: Array(repeatElement(Self.frame, count: frames).joined()))
        packet.pts = 800
        var times: [Int64?] = []
        var samples = 0
        try decoder.decode(packet, opaque: 7) { frame in
            times.append(frame.pts)
            samples += frame.sampleCount
            #expect(frame.opaque == 7)
        }
        #expect(samples == 160 * frames)
        #expect(times.first == 800 && times.count == frames)
    }
}
