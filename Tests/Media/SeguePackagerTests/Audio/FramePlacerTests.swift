import Testing

@testable import SeguePackager

@Suite struct `Audio frames on the sample grid` {
    /// The starts of frames of 1024 samples at 48 kHz, the last six after a clock jump with an overlap in samples.
    private func starts(overlap: Int64, cutsOverlaps: Bool) -> [(start: Int64, wished: Int64)] {
        var placer = FramePlacer(rate: 48000, tolerance: 1920, cutsOverlaps: cutsOverlaps)
        return (0..<12).map { (number: Int64) in
            let wished = number * 1024 - (number < 6 ? 0 : overlap)
            return (placer.place(at: wished, length: 1024, isAfterJump: number == 6), wished)
        }
    }

    @Test(arguments: [0, 240, 1280, 1900])
    func `are in step soon after a jump, also with a small overlap`(overlap: Int64) {
        let starts = starts(overlap: overlap, cutsOverlaps: false)
        #expect(starts[...5].allSatisfy { $0.start == $0.wished })
        #expect(starts[10...].allSatisfy { abs($0.start - $0.wished) <= 96 })
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $1.start - $0.start >= 512 })
    }

    @Test func `replace the end of those before a jump, if they are transcoded`() {
        #expect(starts(overlap: 1280, cutsOverlaps: true).allSatisfy { $0.start == $0.wished })
    }
}

@Suite struct `An xHE-AAC configuration` {
    @Test func `has the frame length of USAC`() throws {
        let configuration = try #require(AACConfiguration([0xf9, 0x46, 0x43, 0x62, 0x2c, 0xc0]))
        #expect(configuration.objectType == 42)
        #expect(configuration.coreRate == 48000)
        #expect(configuration.channelConfiguration == 2)
        #expect(configuration.usacFrame == 2048)
        #expect(AACConfiguration([0x12, 0x10])?.usacFrame == nil)
        #expect(AACConfiguration([0xf9, 0x46])?.usacFrame == nil)
    }
}
