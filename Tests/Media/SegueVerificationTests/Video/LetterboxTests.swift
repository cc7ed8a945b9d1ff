import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@testable import SegueVerification

@Suite struct `A verified film with bars` {
    /// A film of a square on a colored pattern that changes from landscape to portrait.
    private static func film(in folder: TestFolder) throws -> String {
        let path = folder.file("turned.webm")
        let muxer = try Muxer(format: "webm", path: path)
        let sizes = [(192, 112), (112, 192)]
        let encoders = try sizes.map { size in
            try VideoEncoder(
                named: "libvpx",
                format: VideoEncoder.Format(
                    width: size.0,
                    height: size.1,
                    pixelFormat: "yuv420p",
                    timeBase: Rational(1, 25),
                    frameRate: Rational(25)
                ) { $0.bitRate = 2_000_000 }
            )
        }
        let stream = try muxer.addStream(encoders[0])
        for (part, encoder) in encoders.enumerated() {
            let take = { (packet: Packet) in
                if packet.duration == 0 { packet.duration = 1 }
                try muxer.write(packet.copy(), stream: stream)
            }
            for number in 0..<50 {
                let frame = try Frame(pixelFormat: "yuv420p", width: sizes[part].0, height: sizes[part].1)
                for plane in 0..<3 {
                    guard let bytes = frame.plane(plane) else { continue }
                    let divisor = plane == 0 ? 1 : 2
                    for y in 0..<sizes[part].1 / divisor {
                        for x in 0..<sizes[part].0 / divisor {
                            let isSquare = abs(x - number - 20) < 12 && abs(y - 40) < 12
                            let luma = isSquare ? 210 : 60 + (x / 16 + y / 16) % 2 * 60
                            let value = plane == 0 ? luma : plane == 1 ? 90 : 190
                            bytes[y * frame.lineSize(plane: plane) + x] = UInt8(value)
                        }
                    }
                }
                frame.pts = Int64(part * 50 + number)
                try encoder.encode(frame, take)
            }
            try encoder.encode(nil, take)
        }
        try muxer.finish()
        return path
    }

    @Test func `has no other colors`() throws {
        let folder = try TestFolder()
        let path = try Self.film(in: folder)
        let presentation = try Presentation.open(path: path, cancellation: Cancellation())
        let description = try presentation.rendition(.full, in: .ts)
        #expect((description.tracks[0].width, description.tracks[0].height) == (192, 112))
        let delivery = try Delivery.whole(of: presentation, in: .ts).delivery
        let report = try Verifier.verify(source: path, delivery: delivery)
        #expect(report.differences == [] && report.metrics.comparedFrames == 100)
    }

    @Test func `is padded in the middle with black`() {
        let frame = SmallFrame(
            width: 8,
            height: 8,
            luma: [UInt8](repeating: 200, count: 64),
            chroma: [[UInt8](repeating: 90, count: 16), [UInt8](repeating: 190, count: 16)]
        )
        let padded = frame.padded(width: 16, height: 8)
        let line: [UInt8] = [16, 16, 16, 16, 200, 200, 200, 200, 200, 200, 200, 200, 16, 16, 16, 16]
        let chromaLine: [UInt8] = [128, 128, 190, 190, 190, 190, 128, 128]
        #expect([UInt8](padded.luma.prefix(16)) == line)
        #expect([UInt8](padded.chroma[1].prefix(8)) == chromaLine)
        #expect(frame.padded(width: 8, height: 8).luma == frame.luma)
    }
}
