internal import SegueBase
internal import SegueFFmpeg

/// A delivered audio track: frames with exact times.
struct AudioTrack: Sendable {
    /// The source of frames.
    enum Source: Sendable {
        /// Frame k is packet `first + k` of the index.
        case copied(CopiedCoding, first: Int)
        /// Frame k is frame k of the encoder's grid.
        case transcoded(AudioMap, reason: String)
    }

    let stream: StreamInfo
    let source: Source
    /// The unit of all times (a core sample), per second; times count from the source's time 0.
    let clockRate: Int64
    /// The frame start times, ascending.
    let starts: TimeList
    /// The end of the last frame.
    let end: Int64
    /// The presentation time of the first content sample.
    let contentStart: Int64
    /// The frames that start a new epoch of the source.
    let epochStarts: [Int]

    /// The decode time of the frame after a range.
    func decodeEnd(of range: Range<Int>) -> Int64 {
        range.upperBound < starts.count ? starts[range.upperBound] : end
    }

    /// The frame start nearest to a time.
    func nearestStart(to time: Rational) -> Rational {
        let wished = time.rounded(scale: clockRate)
        let place = starts.partitioningIndex { $0 >= wished }
        let candidates = [place - 1, place].filter { starts.indices.contains($0) }
        let best = candidates.min { abs(starts[$0] - wished) < abs(starts[$1] - wished) }
        return Rational(best.map { starts[$0] } ?? wished, clockRate)
    }

    /// The number of the first frame at or after a time.
    func firstFrame(from time: Rational) -> Int {
        let wished = time.ceiled(scale: clockRate)
        return starts.partitioningIndex { $0 >= wished }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index from which a condition holds; the end if it never does.
    func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// The facts needed to copy audio frames.
struct CopiedCoding: Sendable {
    /// The codecs that can be copied.
    enum Codec: Sendable, Equatable { case aac(AACConfiguration), mp3, ac3, eac3, flac, alac, opus }

    let codec: Codec
    /// The unit of frame times, per second.
    let clockRate: Int
    /// The frame duration, in units.
    let frame: Int
    /// True if packets carry ADTS headers.
    let hasADTS: Bool
    /// The last frame's duration, in units, if shorter.
    var lastFrame: Int?

    /// Determines how a stream's packets can be copied, or why they cannot.
    static func of(_ index: StreamIndex) -> Result<CopiedCoding, Obstacle> {
        let isChanged = index.extradataChanges.contains { $0.bytes != index.info.extradata }
        guard index.configurations.count <= 1, !isChanged || index.info.extradata.isEmpty else {
            return .failure(Obstacle("the coding changes within the stream"))
        }
        guard index.info.sampleRate > 0, index.info.channels > 0 else {
            return .failure(Obstacle("the sample rate or channel layout is unknown"))
        }
        guard !index.hasHiddenInside else { return .failure(Obstacle("the edit list omits parts")) }
        let codec = index.info.codec
        switch codec {
        case "aac": return aac(index)
        case "mp3":
            guard let header = index.firstPacket.withUnsafeBytes({ MPEGAudioHeader($0) }), header.layer == 3 else {
                return .failure(Obstacle("the packets are not MP3 frames"))
            }
            return .success(
                CopiedCoding(codec: .mp3, clockRate: header.sampleRate, frame: header.samples, hasADTS: false)
            )
        case "ac3", "eac3":
            guard let header = index.firstPacket.withUnsafeBytes({ AC3Header($0) }) else {
                return .failure(Obstacle("the packets are not \(codec) frames"))
            }
            // A sample in fMP4 has six audio blocks (ETSI TS 102 366, F.5).
            guard header.samples == 1536 else {
                return .failure(Obstacle("the frames have \(header.samples) samples; players support 1536"))
            }
            return .success(
                CopiedCoding(
                    codec: codec == "ac3" ? .ac3 : .eac3,
                    clockRate: header.sampleRate,
                    frame: header.samples,
                    hasADTS: false
                )
            )
        case "flac": return flac(index)
        case "alac": return alac(index)
        case "opus": return opus(index)
        default: return .failure(Obstacle("players do not support \(codec)"))
        }
    }

    private static func aac(_ index: StreamIndex) -> Result<CopiedCoding, Obstacle> {
        let header = index.firstPacket.withUnsafeBytes { ADTSHeader($0) }
        let told = AACConfiguration(index.info.extradata)
        let hasADTS = index.info.extradata.isEmpty
        guard let configuration = hasADTS ? header.map({ AACConfiguration($0) }) : told else {
            return .failure(Obstacle("the AAC configuration is invalid"))
        }
        if let frame = configuration.usacFrame {
            let rate = configuration.coreRate
            // The container's duration of a packet takes precedence over the configuration's.
            let said = index.packets.first.map { Rational($0.duration) * index.info.timeBase } ?? .zero
            let samples = Int(said.rounded(scale: Int64(rate)))
            let length = (512...8192).contains(samples) ? samples : frame
            return .success(
                CopiedCoding(codec: .aac(configuration), clockRate: rate, frame: length, hasADTS: false)
            )
        }
        guard configuration.objectType == 2, (1...7).contains(configuration.channelConfiguration),
            !configuration.hasShortFrames
        else { return .failure(Obstacle("players do not support this AAC object type")) }
        return .success(
            CopiedCoding(
                codec: .aac(configuration),
                clockRate: configuration.coreRate,
                frame: 1024,
                hasADTS: hasADTS
            )
        )
    }

    /// A reason against copying.
    struct Obstacle: Error {
        let words: String
        init(_ words: String) { self.words = words }
    }
}

extension AudioTrack {
    /// Places the packets of a copied stream in time.
    init?(copying index: StreamIndex, as coding: CopiedCoding) {
        guard let shown = index.packets.firstIndex(where: { !$0.isDiscarded }) else { return nil }
        // One or two frames before the first content let decoders warm up, as in the source.
        let first = max(0, shown - 2)
        let last = index.packets.lastIndex { !$0.isDiscarded } ?? shown
        stream = index.info
        source = .copied(coding, first: first)
        clockRate = Int64(coding.clockRate)
        let frame = Int64(coding.frame)
        var placer = FramePlacer(rate: clockRate, tolerance: max(frame, clockRate / 25))
        var starts = TimeList()
        var epochs: [Int] = []
        var epoch = index.packets[first].epoch
        let scale = TickScale(from: index.info.timeBase, rate: clockRate)
        let size = PacketList.blockSize
        var next = first
        while next <= last {
            // Evenly spaced blocks need no per-packet placement.
            if scale.isWhole, last - next >= size, let even = index.packets.evenBlock(at: next), even.epoch == epoch,
                scale.rounded(even.step) == frame,
                let start = placer.place(size, evenlyFrom: scale.rounded(even.start), length: frame)
            {
                starts.append(from: start, step: frame, count: size)
                next += size
                continue
            }
            let end = min(last + 1, (next / size + 1) * size)
            for (place, packet) in zip(next..., index.packets.run(next..<end)) {
                let time = packet.pts != IndexedPacket.unknown ? packet.pts : packet.dts
                let said = time == IndexedPacket.unknown ? nil : scale.rounded(time)
                starts.append(placer.place(at: said, length: frame, isAfterJump: packet.epoch != epoch))
                if packet.epoch != epoch { epochs.append(place - first) }
                epoch = packet.epoch
            }
            next = end
        }
        self.starts = starts
        epochStarts = epochs
        end =
            starts[starts.count - 1]
            + (last == index.packets.count - 1 ? Int64(coding.lastFrame ?? coding.frame) : frame)
        // The discarded samples may span several packets, starting with the one that declares them; in a losslessly cut
        // movie, that is long before the first delivered packet.
        let rate = max(1, index.info.sampleRate)
        let dropped = index.skips.filter { $0.key <= shown }.compactMap { place, skip -> Int64? in
            let packet = index.packets[place]
            guard place >= first || packet.pts != IndexedPacket.unknown else { return nil }
            let start = place >= first ? starts[place - first] : scale.rounded(packet.pts)
            return start + Int64(skip.start) * Int64(coding.clockRate) / Int64(rate)
        }
        // A skip beyond all audio is invalid.
        let behind = end
        contentStart = dropped.filter { $0 < behind }.reduce(starts[shown - first], max)
    }
}
