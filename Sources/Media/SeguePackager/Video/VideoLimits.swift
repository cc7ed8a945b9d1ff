package import SegueBase

/// The limits for transcoded video, from a device or a ladder rung.
package struct VideoLimits: Sendable, Hashable {
    /// The H.264 profiles, the simplest first.
    package enum Profile: String, Sendable, CaseIterable { case baseline, main, high }

    /// The maximum longer side, in pixels.
    package var longSide: Int
    /// The maximum shorter side, in pixels.
    package var shortSide: Int
    /// The maximum frame rate; nil keeps the source's.
    package var frameRate: Rational?
    /// The H.264 profile.
    package var profile: Profile
    /// The maximum H.264 level, times ten (31 is level 3.1); nil for any.
    package var level: Int?
    /// The maximum video bit rate of any segment, in bits per second; nil for any.
    package var bitsPerSecond: Int?

    /// The default limits: common screens.
    package static let standard = VideoLimits(longSide: 1920, shortSide: 1080)

    /// Creates limits; see the properties.
    package init(
        longSide: Int,
        shortSide: Int,
        frameRate: Rational? = nil,
        profile: Profile = .high,
        level: Int? = nil,
        bitsPerSecond: Int? = nil
    ) {
        self.longSide = longSide
        self.shortSide = shortSide
        self.frameRate = frameRate
        self.profile = profile
        self.level = level
        self.bitsPerSecond = bitsPerSecond
    }
}

/// The limits of an H.264 level: ITU-T H.264, table A-1.
struct VideoLevel: Sendable, Hashable {
    /// The level times ten.
    let number: Int
    /// Macroblocks per second.
    let macroblockRate: Int
    /// Macroblocks per frame.
    let frameSize: Int
    /// Bits per second in the simpler profiles; 25% more in High.
    let bitRate: Int

    /// All levels but 1b, ascending.
    static let all = [
        (10, 1_485, 99, 64), (11, 3_000, 396, 192), (12, 6_000, 396, 384), (13, 11_880, 396, 768),
        (20, 11_880, 396, 2_000), (21, 19_800, 792, 4_000), (22, 20_250, 1_620, 4_000),
        (30, 40_500, 1_620, 10_000), (31, 108_000, 3_600, 14_000), (32, 216_000, 5_120, 20_000),
        (40, 245_760, 8_192, 20_000), (41, 245_760, 8_192, 50_000), (42, 522_240, 8_704, 50_000),
        (50, 589_824, 22_080, 135_000), (51, 983_040, 36_864, 240_000), (52, 2_073_600, 36_864, 240_000),
        (60, 4_177_920, 139_264, 240_000), (61, 8_355_840, 139_264, 480_000), (62, 16_711_680, 139_264, 800_000),
    ].map { VideoLevel(number: $0, macroblockRate: $1, frameSize: $2, bitRate: $3 * 1000) }

    /// The macroblocks of a frame.
    static func macroblocks(_ width: Int, _ height: Int) -> Int { (width + 15) / 16 * ((height + 15) / 16) }
}

extension VideoLimits {
    /// The limits of the level; nil for any.
    var levelBounds: VideoLevel? {
        level.map { wished in VideoLevel.all.last { $0.number <= wished } ?? VideoLevel.all[0] }
    }

    /// The maximum bit rate within both the limit and the level.
    var greatestBitRate: Int? {
        let ofLevel = levelBounds.map { profile == .high ? $0.bitRate * 5 / 4 : $0.bitRate }
        return [bitsPerSecond, ofLevel].compactMap { $0 }.min()
    }

    /// The delivered size: even, of the same shape, and within the limits.
    func size(for width: Int, _ height: Int) -> (width: Int, height: Int) {
        let (long, short) = (Double(max(width, height, 1)), Double(max(1, min(width, height))))
        var scale = min(1, Double(longSide) / long, Double(shortSide) / short)
        var size = even(width, height: height, scale: scale)
        // No side may exceed the square root of eight times the macroblocks per frame (A.3.1).
        if let greatest = levelBounds?.frameSize {
            let side = (8 * Double(greatest)).squareRoot().rounded(.down) * 16
            while VideoLevel.macroblocks(size.width, size.height) > greatest
                || Double(max(size.width, size.height)) > side, scale > 0.01
            {
                scale *= 0.99
                size = even(width, height: height, scale: scale)
            }
        }
        return size
    }

    /// The delivered frame rate for a size.
    func rate(for rate: Rational, width: Int, height: Int) -> Rational {
        let ofLevel = levelBounds.map {
            Rational(Int64($0.macroblockRate), Int64(VideoLevel.macroblocks(width, height)))
        }
        return [rate, frameRate, ofLevel].compactMap { $0 }.min() ?? rate
    }

    private func even(_ width: Int, height: Int, scale: Double) -> (width: Int, height: Int) {
        func even(_ side: Int) -> Int { max(16, (Int((Double(side) * scale).rounded()) + 1) / 2 * 2) }
        return (even(width), even(height))
    }
}
