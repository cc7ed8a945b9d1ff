import SegueBase
import Testing

@testable import SeguePackager

@Suite struct `Video limits` {
    @Test(arguments: [
        ((640, 480), 30, (640, 480)), ((1920, 1080), 40, (1920, 1080)), ((3840, 2160), 51, (1920, 1080)),
        ((2160, 3840), 51, (1080, 1920)), ((75, 51), 51, (76, 52)), ((1, 1), 51, (16, 16)),
    ])
    func `limit a frame to common screens, with even sides`(
        source: (Int, Int),
        level: Int,
        delivered: (Int, Int)
    ) {
        var limits = VideoLimits.standard
        limits.level = level
        let size = limits.size(for: source.0, source.1)
        #expect(size == delivered)
    }

    @Test(arguments: VideoLevel.all) func `limit a frame to its level`(level: VideoLevel) {
        for (width, height) in [(1920, 1080), (1080, 1920), (720, 576), (4000, 100), (99, 4099)] {
            var limits = VideoLimits(longSide: 8192, shortSide: 8192)
            limits.level = level.number
            let size = limits.size(for: width, height)
            #expect(VideoLevel.macroblocks(size.width, size.height) <= level.frameSize)
            #expect(size.width % 2 == 0 && size.height % 2 == 0)
            let rate = limits.rate(for: Rational(60), width: size.width, height: size.height)
            let macroblocks = Rational(Int64(VideoLevel.macroblocks(size.width, size.height)))
            #expect(rate * macroblocks <= Rational(Int64(level.macroblockRate)))
        }
    }

    @Test func `give the lower of the level's and the requested bit rate`() {
        var limits = VideoLimits.standard
        #expect(limits.greatestBitRate == nil)
        limits.level = 31
        #expect(limits.greatestBitRate == 17_500_000)
        limits.profile = .baseline
        #expect(limits.greatestBitRate == 14_000_000)
        limits.bitsPerSecond = 2_000_000
        #expect(limits.greatestBitRate == 2_000_000)
    }
}
