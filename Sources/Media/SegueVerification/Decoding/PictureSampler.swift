internal import SegueBase
internal import SegueConformance
internal import SegueFFmpeg

/// Reduces the pictures of a part of a segment.
struct PictureSampler {
    /// The maximum number of pixels to decode, 120 frames of 1920 x 1080, as a bound on the time.
    private static let mostPixels = 250_000_000

    /// The maximum number of pictures: a little more than two seconds at 60 frames per second.
    private static let mostPictures = 130

    private let range: ClosedRange<Rational>
    private let timeBase: Rational
    private var shrinker = FrameShrinker(width: DecodedPicture.width, height: DecodedPicture.height)
    private var pixels = 0
    /// The earliest timestamps of the packets, in units of the time base.
    private var first: (pts: Int64, dts: Int64)?
    private var pictures: [(pts: Int64, picture: SmallFrame, shape: Double)] = []

    /// - Parameter range: The part in seconds from the start of the segment.
    init(_ stream: StreamInfo, within range: ClosedRange<Rational>) {
        (timeBase, self.range) = (stream.timeBase, range)
    }

    /// Notes the timestamps of a packet, and returns true if the decoder needs it.
    mutating func needs(_ packet: Packet) -> Bool {
        guard let pts = packet.pts else { return false }
        let dts = packet.dts ?? pts
        first = (min(first?.pts ?? pts, pts), first?.dts ?? dts)
        guard pixels < Self.mostPixels, let late = seconds(from: first?.dts ?? dts, to: dts) else { return false }
        return late <= range.upperBound
    }

    mutating func see(_ frame: Frame) {
        pixels += frame.width * frame.height
        guard pictures.count < Self.mostPictures, let pts = frame.bestEffortTimestamp, frame.height > 0, let first,
            let late = seconds(from: first.pts, to: pts), late >= range.lowerBound,
            let picture = try? shrinker.shrink(frame)
        else { return }
        let shape = Double(frame.width) / Double(frame.height) * (frame.sampleAspectRatio?.seconds ?? 1)
        pictures.append((pts, picture, shape))
    }

    /// The pictures in the order of their times.
    ///
    /// - Parameter start: The earliest presentation time of the segment in seconds.
    func pictures(of segment: Int, from start: Rational) -> [DecodedPicture] {
        guard let first else { return [] }
        return pictures.sorted { $0.pts < $1.pts }.compactMap { pts, picture, shape in
            guard let late = seconds(from: first.pts, to: pts) else { return nil }
            return DecodedPicture(
                segment: segment,
                time: start + late,
                luma: picture.luma,
                blue: Self.mean(picture.chroma[0]),
                red: Self.mean(picture.chroma[1]),
                shape: shape
            )
        }
    }

    private func seconds(from one: Int64, to other: Int64) -> Rational? {
        let (ticks, overflow) = other.subtractingReportingOverflow(one)
        return overflow ? nil : Rational(ticks) * timeBase
    }

    private static func mean(_ plane: [UInt8]) -> Int {
        plane.isEmpty ? 128 : plane.reduce(0) { $0 + Int($1) } / plane.count
    }
}
