import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `A source's timeline` {
    /// Places packets of one tick of 1/10 s each, given as (stream, time in seconds).
    static func place(_ packets: [(Int, Int64)], byDesign: Bool) -> [Double] {
        var detector = JumpDetector(allowsForwardJumps: byDesign)
        return packets.map { stream, time in
            let placed = detector.place(
                pts: time * 10,
                dts: time * 10,
                duration: 10,
                stream: stream,
                timeBase: Rational(1, 10)
            )
            return Double(placed.pts) / 10
        }
    }

    @Test func `two spliced broadcasts share one timeline`() {
        let packets: [(Int, Int64)] = [
            (0, 100), (1, 100), (0, 101), (1, 101), (0, 7000), (0, 7001), (1, 7000), (1, 7001),
        ]
        #expect(Self.place(packets, byDesign: true) == [100, 100, 101, 101, 102, 103, 102, 103])
    }

    @Test func `backward time continues at the last position`() {
        let packets: [(Int, Int64)] = [(0, 50), (1, 50), (0, 51), (1, 51), (0, 3), (1, 3), (0, 4)]
        #expect(Self.place(packets, byDesign: false) == [50, 50, 51, 51, 52, 52, 53])
    }

    @Test func `a stream with a long gap has not jumped`() {
        let packets: [(Int, Int64)] = [(0, 0), (1, 0)] + (1...40).map { (0, Int64($0)) } + [(1, 40), (1, 41)]
        #expect(Self.place(packets, byDesign: true).suffix(2) == [40, 41])
    }

    @Test(arguments: [40, 12, 100_000])
    func `an outlier is not a jump`(wrong: Int64) {
        var packets = (0..<40).map { ($0 % 2, Int64(20 + $0 / 2)) }
        packets[20].1 = wrong
        let placed = Self.place(packets, byDesign: false)
        for place in packets.indices where place != 20 { #expect(placed[place] == Double(packets[place].1)) }
        #expect(Self.strays(packets) == [22: 1])
    }

    /// The number of outliers directly before each packet.
    private static func strays(_ packets: [(Int, Int64)]) -> [Int: Int] {
        var detector = JumpDetector(allowsForwardJumps: false)
        var result: [Int: Int] = [:]
        for (place, (stream, time)) in packets.enumerated() {
            let base = Rational(1, 10)
            let count = detector.place(pts: time * 10, dts: time * 10, duration: 10, stream: stream, timeBase: base)
                .strays
            if count > 0 { result[place] = count }
        }
        return result
    }

    @Test func `frames are on the sample grid despite rounded timestamps`() {
        var placer = FramePlacer(rate: 44100, tolerance: 1764)
        let starts = (0..<100).map { number in
            placer.place(Rational(Int64((Double(number) * 1024 / 44.1).rounded()), 1000), length: 1024)
        }
        #expect(starts == (0..<100).map { $0 * 1024 })
    }

    @Test func `a drifting clock is followed in small steps`() {
        var placer = FramePlacer(rate: 1000, tolerance: 40)
        var worst: Int64 = 0
        var last: Int64 = -20
        for number in 0..<50000 {
            let wished = Int64(number) * 20 - Int64(number) / 50
            let start = placer.place(Rational(wished, 1000), length: 20)
            #expect(start - last >= 10)
            worst = max(worst, abs(start - wished))
            last = start
        }
        #expect(worst <= 60)
    }

    @Test func `timestamps at the wrong speed do not stretch or compress audio`() {
        for step in [Int64(1), 37] {
            var placer = FramePlacer(rate: 1000, tolerance: 40)
            let starts = (0..<500).map { placer.place(Rational(Int64($0) * step, 1000), length: 20) }
            #expect(starts == (0..<500).map { $0 * 20 })
        }
    }

    @Test(arguments: [Int64(-300), -41, -40, -1, 0, 1, 40, 41, 300])
    func `even frames are placed at once as if placed individually`(off: Int64) {
        var one = FramePlacer(rate: 1000, tolerance: 40)
        #expect(one.place(3, evenlyFrom: 0, length: 20) == nil)
        for number in 0..<5 { _ = one.place(at: Int64(number) * 20, length: 20) }
        var many = one
        let start = many.place(200, evenlyFrom: 100 + off, length: 20)
        #expect((start != nil) == (abs(off) <= 40))
        guard let start else { return }
        let starts = (0..<200).map { one.place(at: 100 + off + $0 * 20, length: 20) }
        #expect(starts == (0..<200).map { start + $0 * 20 })
        for wished in [Int64(4100), 4000, 4020, 4500, 4520] {
            #expect(one.place(at: wished, length: 20) == many.place(at: wished, length: 20))
        }
    }

    @Test func `repeated audio is caught up quickly and not late afterward`() {
        var placer = FramePlacer(rate: 1000, tolerance: 40)
        let times = Array(0..<20) + Array(14..<100)
        let starts = times.map { placer.place(at: Int64($0) * 20, length: 20) }
        for place in starts.indices.dropFirst() { #expect(starts[place] - starts[place - 1] >= 10) }
        for place in 32..<starts.count { #expect(starts[place] == Int64(times[place]) * 20) }
    }

    @Test func `frames are re-anchored after a gap and moved back if the source is ahead`() {
        var placer = FramePlacer(rate: 1000, tolerance: 40)
        #expect(placer.place(Rational(0), length: 20) == 0)
        #expect(placer.place(Rational(1), length: 20) == 1000)
        #expect(placer.place(Rational(95, 100), length: 20) == 1010)
        #expect(placer.place(Rational(102, 100), length: 20) == 1020)
    }
}

@Suite struct `The order of showing` {
    @Test func `follows frame numbers between keyframes`() {
        let numbers = [0, 8, 4, 2, 6, 0, 4, 2]
        let keys = [true, false, false, false, false, true, false, false]
        #expect(DisplayOrder.ranks(numbers, keys: keys) == [0, 4, 2, 1, 3, 5, 7, 6])
        #expect(DisplayOrder.ranks([0, 2, 2], keys: [true, false, false]) == nil)
    }

    @Test func `is derived for a container without it, as by a decoder`() throws {
        let folder = try TestFolder()
        let path = try Clip(container: "avi", audioCodec: "libmp3lame").write(in: folder)
        let presentation = try PresentationTests.open(path)
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: .fmp4)
        let delivered = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video)
        let source = try Decoded(MediaInput(path: path), .video)
        #expect(delivered.frames == source.frames)
        // The decoder outputs the last delayed frames without times.
        for (shown, wished) in zip(delivered.times, source.times.dropLast(2)) {
            #expect(shown - presentation.plan.timestampOffset == wished - presentation.plan.origin)
        }
    }
}

@Suite struct `Headers and parameter sets` {
    @Test func `an AAC configuration with and without SBR`() throws {
        let plain = try #require(AACConfiguration([0x12, 0x10]))
        #expect(plain.objectType == 2 && plain.coreRate == 44100 && plain.channelConfiguration == 2 && !plain.hasSBR)
        #expect(plain.bytes == [0x12, 0x10])
        let high = try #require(AACConfiguration([0x2b, 0x92, 0x08, 0x00]))
        #expect(high.objectType == 2 && high.coreRate == 22050 && high.hasSBR)
        #expect(AACConfiguration([0x12]) == nil)
    }

    @Test func `an ADTS header survives a round trip`() throws {
        var bytes: [UInt8] = []
        ADTSHeader.write(
            AACConfiguration(objectType: 2, rateIndex: 3, channelConfiguration: 6),
            payload: 300,
            into: &bytes
        )
        bytes += [UInt8](repeating: 0, count: 300)
        let header = try #require(bytes.withUnsafeBytes { ADTSHeader($0) })
        #expect(header.profile == 1 && header.rateIndex == 3 && header.channelConfiguration == 6)
        #expect(header.length == 7)
        #expect(bytes.dropLast().withUnsafeBytes { ADTSHeader($0) } == nil)
    }

    @Test func `the codec string comes from the parameter sets, boxed or plain`() {
        let sps: [UInt8] = [0x67, 0x64, 0x00, 0x1f, 0xac]
        let plain = VideoConfiguration(codec: .h264, extradata: [0, 0, 0, 1] + sps + [0, 0, 1, 0x68, 0xee])
        #expect(plain.codecString == "avc1.64001F" && plain.lengthSize == nil && plain.parameterSets.count == 2)
        let boxed = VideoConfiguration(
            codec: .h264,
            extradata: [1, 0x64, 0, 0x1f, 0xff, 0xe1, 0, 5] + sps + [1, 0, 2, 0x68, 0xee]
        )
        #expect(boxed.codecString == "avc1.64001F" && boxed.lengthSize == 4)
        #expect(boxed.parameterSets == plain.parameterSets)
        let hevc = VideoConfiguration(
            codec: .hevc,
            extradata: [1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93] + [UInt8](repeating: 0, count: 10)
        )
        #expect(hevc.codecString == "hvc1.1.6.L93.90")
    }

    @Test func `units change from start codes to lengths`() {
        let plain: [UInt8] = [0, 0, 0, 1, 9, 0xf0, 0, 0, 1, 0x65, 1, 2, 0, 0, 0, 0, 1, 0x41, 3]
        let lengths = plain.withUnsafeBytes { NALUnits.withLongLengths($0, units: NALUnits.inAnnexB($0)) }
        #expect(lengths == [0, 0, 0, 2, 9, 0xf0, 0, 0, 0, 3, 0x65, 1, 2, 0, 0, 0, 2, 0x41, 3])
    }
}
