import Testing

@testable import SegueTestMedia

@Suite struct `Frame code` {
    @Test(arguments: [(96, 64), (128, 96), (192, 128), (320, 180), (640, 360), (1280, 720)])
    func `every frame shows its number`(width: Int, height: Int) {
        let renderer = FrameRenderer(width: width, height: height)
        for number in [0, 1, 2, 29, 30, 1000, 65535, 65536, 1_234_567, FrameCode.limit - 1] {
            #expect(FrameCodeReader.number(in: renderer.image(number: number)) == number)
        }
    }

    @Test func `every number has cells of its own`() {
        let numbers = stride(from: 0, to: FrameCode.limit, by: 4099)
        #expect(numbers.allSatisfy { FrameCode.number(from: FrameCode.cells(for: $0)) == $0 })
    }

    @Test func `a wrong cell is detected`() {
        let cells = FrameCode.cells(for: 4711)
        for bit in 0..<32 { #expect(FrameCode.number(from: cells ^ 1 << UInt32(bit)) == nil) }
    }

    @Test func `a wrong cell of a mark is detected`() {
        for mark in VariantMark.range {
            let cells = VariantMark.cells(for: mark)
            #expect(VariantMark.mark(from: cells) == mark)
            for bit in 0..<8 { #expect(VariantMark.mark(from: cells ^ 1 << UInt8(bit)) == nil) }
        }
        #expect(VariantMark.mark(from: VariantMark.cells(for: 0)) == nil)
    }

    @Test func `neighboring frames differ in many cells`() {
        for number in 0..<200 {
            let changed = FrameCode.cells(for: number) ^ FrameCode.cells(for: number + 1)
            #expect(changed.nonzeroBitCount >= 6)
        }
    }

    @Test func `a blurred, scaled, noisy, low-contrast frame is readable`() {
        let renderer = FrameRenderer(width: 192, height: 128)
        var noise: UInt32 = 1
        for number in 100..<120 {
            let image = renderer.image(number: number)
            // Two thirds of the size by the nearest sample, then a third of the contrast and noise.
            var small = FrameImage(width: 128, height: 86)
            for row in 0..<86 {
                for column in 0..<128 {
                    noise = noise &* 1_664_525 &+ 1_013_904_223
                    let level = Int(image.luma[row * 128 / 86 * 192 + column * 3 / 2])
                    small.luma[row * 128 + column] = UInt8(80 + level / 3 + Int(noise >> 28))
                }
            }
            #expect(FrameCodeReader.number(in: small) == number)
        }
    }

    @Test func `a blend, a gray frame, and noise have no number`() {
        let renderer = FrameRenderer(width: 192, height: 128)
        var blend = renderer.image(number: 7)
        let other = renderer.image(number: 8)
        for index in blend.luma.indices {
            blend.luma[index] = UInt8((Int(blend.luma[index]) + Int(other.luma[index])) / 2)
        }
        #expect(FrameCodeReader.number(in: blend) == nil)
        #expect(FrameCodeReader.number(in: FrameImage(width: 192, height: 128)) == nil)
        var state: UInt32 = 3
        var random = FrameImage(width: 192, height: 128)
        for index in random.luma.indices {
            state = state &* 1_664_525 &+ 1_013_904_223
            random.luma[index] = UInt8(state >> 24)
        }
        #expect(FrameCodeReader.number(in: random) == nil)
        #expect(FrameCodeReader.number(in: FrameImage(width: 4, height: 4)) == nil)
    }

    @Test func `the ball moves in every frame`() {
        let renderer = FrameRenderer(width: 96, height: 64)
        let bottoms = (10..<14).map { Array(renderer.image(number: $0).luma.suffix(96 * 16)) }
        #expect(Set(bottoms).count == 4)
    }
}
