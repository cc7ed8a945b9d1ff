import SegueFFmpeg
import Testing

@testable import SegueVerification

@Suite struct `A small frame` {
    @Test(arguments: [(90, 1), (360, 1), (719, 1), (1080, 3), (1440, 3), (2160, 5), (4320, 11), (0, 1)])
    func `samples an odd line step, and at least four lines`(height: Int, step: Int) {
        #expect(FrameShrinker.step(from: height, to: 90) == step)
        #expect(step == 1 || height / step / 90 >= FrameShrinker.leastLines)
    }

    /// A frame with stripes that brighten toward the bottom, and a vertical color gradient.
    private func frame(_ format: String, width: Int, height: Int) throws -> Frame {
        let frame = try Frame(pixelFormat: "yuv420p", width: width, height: height)
        for plane in 0..<3 {
            guard let bytes = frame.plane(plane) else { continue }
            let lines = plane == 0 ? height : (height + 1) / 2
            for line in 0..<lines {
                let value = (plane == 0 ? 30 : 100) + 120 * line / lines + (plane == 0 ? line % 2 * 8 : 0)
                (bytes + line * frame.lineSize(plane: plane)).update(
                    repeating: UInt8(value),
                    count: plane == 0 ? width : (width + 1) / 2
                )
            }
        }
        let scaler = try Scaler(
            from: .init(width: width, height: height, pixelFormat: "yuv420p"),
            to: .init(width: width, height: height, pixelFormat: format),
            by: .nearest
        )
        return format == "yuv420p" ? frame : try scaler.convert(frame)
    }

    @Test(arguments: ["yuv420p", "yuv410p", "yuv444p10le", "nv12", "rgb24"], [1080, 1081, 1083])
    func `from every third line equals that from all`(format: String, height: Int) throws {
        let whole = try frame(format, width: 320, height: height)
        let few = try whole.keepingLines(every: 3)
        #expect(few.width == 320 && abs(few.height - height / 3) <= 3)
        let (one, other) = (try small(few), try small(whole))
        #expect(one.likeness(to: other) > 0.98)
        #expect(one.colourDistance(to: other) < 1)
        #expect(whole.height == height)
    }

    @Test func `of a format without pixel lines uses all of them`() throws {
        let palette = try Frame(pixelFormat: "pal8", width: 64, height: 1080)
        #expect(try palette.keepingLines(every: 3) === palette)
    }

    /// The frame scaled by libav from all its lines.
    private func small(_ frame: Frame) throws -> SmallFrame {
        var shrinker = FrameShrinker(width: 160, height: 90)
        return try shrinker.small(of: frame)
    }

    @Test func `has the tint of a version too small for its finest colors`() {
        let luma = [UInt8](repeating: 100, count: 32 * 32)
        let fine = SmallFrame(width: 32, height: 32, luma: luma, chroma: Self.planes { $0 % 2 == 0 ? 60 : 180 })
        let coarse = SmallFrame(width: 32, height: 32, luma: luma, chroma: Self.planes { _ in 120 })
        let green = SmallFrame(width: 32, height: 32, luma: luma, chroma: Self.planes { _ in 90 })
        #expect(fine.colourDistance(to: coarse) == 60)
        #expect(fine.tintDistance(to: coarse) == 0)
        #expect(fine.tintDistance(to: green) == 30)
    }

    /// Two chroma planes of 32 x 32 pixels, by column.
    private static func planes(_ value: (Int) -> UInt8) -> [[UInt8]] {
        [[UInt8]](repeating: (0..<256).map { value($0 % 16) }, count: 2)
    }
}
