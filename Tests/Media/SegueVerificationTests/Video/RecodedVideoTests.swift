import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@testable import SegueVerification

@Suite struct `A verified film that was transcoded` {
    /// The change of one frame.
    enum Fault: Sendable, CaseIterable { case none, other, swapped, dropped, green, grey, late, intruder }

    /// Makes a video of a square moving over a pattern, with the fault in the thirtieth frame; `pause` is the duration
    /// of the frame before it and of the last one.
    private static func film(
        _ fault: Fault,
        in folder: TestFolder,
        rotation: Double = 0,
        pause: Int = 0
    ) throws -> String {
        let (width, height) = (192, 128)
        let path = folder.file("\(fault)-\(rotation).mov")
        let muxer = try Muxer(format: "mov", path: path)
        let encoder = try VideoEncoder(
            named: "mpeg4",
            format: VideoEncoder.Format(
                width: width,
                height: height,
                pixelFormat: "yuv420p",
                timeBase: Rational(1, 25),
                frameRate: Rational(25)
            ) {
                $0.bitRate = 4_000_000
                $0.keyframeInterval = 12
            }
        )
        var attributes = StreamAttributes()
        attributes.rotation = rotation
        let stream = try muxer.addStream(encoder, attributes: attributes)
        let take = { (packet: Packet) in
            if packet.duration == 0 { packet.duration = 1 }
            if packet.pts == Int64(59 + pause * 25) { packet.duration = Int64(max(1, pause * 25)) }
            try muxer.write(packet.copy(), stream: stream)
        }
        for number in 0..<60 {
            if fault == .dropped, number == 30 { continue }
            var drawn = number
            if fault == .other, number == 30 { drawn = 53 }
            if fault == .swapped, number == 30 || number == 31 { drawn = 61 - number }
            if fault == .late, number >= 30 { drawn = number - 1 }
            if fault == .intruder, number == 29 { drawn = 53 }
            let frame = try Frame(pixelFormat: "yuv420p", width: width, height: height)
            let isGreen = fault == .green && number == 30
            let isGrey = fault == .grey && number == 30
            for plane in 0..<3 {
                let (w, h) = plane == 0 ? (width, height) : (width / 2, height / 2)
                guard let bytes = frame.plane(plane) else { continue }
                for y in 0..<h {
                    for x in 0..<w {
                        let value = isGreen ? 0 : isGrey && plane > 0 ? 128 : Self.dot(plane, x: x, y: y, number: drawn)
                        bytes[y * frame.lineSize(plane: plane) + x] = UInt8(value)
                    }
                }
            }
            // The intruder replaces the repetition of the preceding frame.
            let isLater = number >= 30 || fault == .intruder && number == 29
            frame.pts = Int64(number + (number >= 30 ? pause * 25 : isLater ? pause * 25 / 2 : 0))
            try encoder.encode(frame, take)
        }
        try encoder.encode(nil, take)
        try muxer.finish()
        return path
    }

    private static func dot(_ plane: Int, x: Int, y: Int, number: Int) -> Int {
        if plane > 0 { return plane == 1 ? 90 : 170 }
        let (left, top) = (3 * number % 150, 2 * number % 90)
        let isSquare = x >= left && x < left + 40 && y >= top && y < top + 36
        return isSquare ? 220 - (x - left) : 50 + (x / 12 + y / 12) % 2 * 40 + y / 3
    }

    /// The report on a video with a fault, delivered for the one without.
    private static func report(
        _ fault: Fault,
        rotation: Double = 0,
        pause: Int = 0
    ) throws -> VerificationReport {
        let folder = try TestFolder()
        let presentation = try Presentation.open(
            path: film(fault, in: folder, rotation: rotation, pause: pause),
            cancellation: Cancellation()
        )
        let delivery = try Delivery.whole(of: presentation, in: .ts).delivery
        let source = try film(.none, in: folder, rotation: rotation, pause: pause)
        let report = try Verifier.verify(source: source, delivery: delivery)
        #expect(try Verifier.verify(source: source, delivery: delivery, cores: Cores(3)) == report)
        return report
    }

    @Test(arguments: [0.0, 90, 180, 270]) func `is correct if unchanged`(rotation: Double) throws {
        let report = try Self.report(.none, rotation: rotation)
        #expect(report.differences == [])
        #expect(report.metrics.comparedFrames == 60)
        #expect(try #require(report.metrics.leastLikeness) > 0.9)
    }

    @Test(arguments: [40, 100]) func `is correct if frozen like the source, and only then`(
        pause: Int
    ) throws {
        let report = try Self.report(.none, pause: pause)
        #expect(report.differences == [])
        #expect(report.metrics.comparedFrames == 60)
        #expect(try Self.report(.intruder, pause: pause).differences.map(\.rule).contains(.picturesExtra))
    }

    @Test(arguments: Fault.allCases.dropFirst()) func `is wrong if a frame is`(fault: Fault) throws {
        let found = Set(try Self.report(fault).differences.map(\.rule))
        switch fault {
        case .none: break
        case .swapped, .late: #expect(found.contains(.picturesReordered))
        case .dropped: #expect(found.contains(.picturesMissing))
        case .other, .green, .grey, .intruder: #expect(found.contains(.picturesAltered))
        }
    }

    @Test func `may have other tones, but no other content`() {
        let dots = { (number: Int, gain: Double) in
            (0..<96 * 64).map { UInt8(30 + Double(Self.dot(0, x: $0 % 96, y: $0 / 96, number: number)) * gain) }
        }
        let frame = SmallFrame(width: 96, height: 64, luma: dots(5, 0.8)).withoutTone
        let darker = SmallFrame(width: 96, height: 64, luma: dots(5, 0.3)).withoutTone
        let other = SmallFrame(width: 96, height: 64, luma: dots(15, 0.8)).withoutTone
        let green = SmallFrame(width: 96, height: 64, luma: [UInt8](repeating: 0, count: 96 * 64)).withoutTone
        #expect(frame.likeness(to: darker) > 0.95)
        #expect(frame.likeness(to: other) < RecodedVideo.leastLikeness)
        #expect(frame.likeness(to: green) < 0.3)
    }
}
