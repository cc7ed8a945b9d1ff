internal import SegueBase
internal import SegueFFmpeg

/// The audio of a file as it is delivered, frame by frame, each with its exact place in time.
struct AudioTrack: Sendable {
    /// Where the frames come from.
    enum Source: Sendable {
        /// Frame k is packet `first + k` of the index.
        case copied(CopiedCoding, first: Int)
        /// Frame k is frame k of the grid of the encoder.
        case transcoded(AudioMap, reason: String)
    }

    /// The stream in the source.
    let stream: StreamInfo
    /// Where the frames come from.
    let source: Source
    /// Units a second of all times in here (a core sample); times count from the source's time 0.
    let clockRate: Int64
    /// When each frame begins; ascending.
    let starts: TimeList
    /// When the last frame ends.
    let end: Int64
    /// When the first sample that counts is heard.
    let contentStart: Int64
    /// Frames at which a new epoch of the source begins.
    let epochStarts: [Int]

    /// When the frame after the last of a range begins: the end of the range.
    func decodeEnd(of range: Range<Int>) -> Int64 {
        range.upperBound < starts.count ? starts[range.upperBound] : end
    }

    /// The frame that begins nearest to a time.
    func nearestStart(to time: Rational) -> Rational {
        let wished = time.rounded(scale: clockRate)
        let place = starts.partitioningIndex { $0 >= wished }
        let candidates = [place - 1, place].filter { starts.indices.contains($0) }
        let best = candidates.min { abs(starts[$0] - wished) < abs(starts[$1] - wished) }
        return Rational(best.map { starts[$0] } ?? wished, clockRate)
    }

    /// The number of the first frame that begins at or after a time.
    func firstFrame(from time: Rational) -> Int {
        let wished = time.ceiled(scale: clockRate)
        return starts.partitioningIndex { $0 >= wished }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies a condition that holds from some place on; the end if none does.
    func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// What is needed to copy frames of audio.
struct CopiedCoding: Sendable {
    /// The codecs that are copied.
    enum Codec: Sendable, Equatable { case aac(AACConfiguration), mp3, ac3, eac3, flac, alac, opus }

    /// The codec.
    let codec: Codec
    /// Units a second of the frames' times.
    let clockRate: Int
    /// The number of units each frame lasts.
    let frame: Int
    /// True if the packets carry an ADTS header.
    let hasADTS: Bool
    /// The number of units the stream's last frame lasts, where that is less.
    var lastFrame: Int?

    /// Finds out whether a stream's packets can be copied; a reason in words when they cannot.
    static func of(_ index: StreamIndex) -> Result<CopiedCoding, Obstacle> {
        guard index.configurations.count <= 1 else { return .failure(Obstacle("its coding changes on the way")) }
        guard index.info.sampleRate > 0, index.info.channels > 0 else {
            return .failure(Obstacle("libav does not know its sample rate or its channels"))
        }
        guard !index.hasHiddenInside else { return .failure(Obstacle("its edit list leaves parts out")) }
        let codec = index.info.codec
        switch codec {
        case "aac": return aac(index)
        case "mp3":
            guard let header = index.firstPacket.withUnsafeBytes({ MPEGAudioHeader($0) }), header.layer == 3 else {
                return .failure(Obstacle("its packets are not MP3 frames"))
            }
            return .success(
                CopiedCoding(codec: .mp3, clockRate: header.sampleRate, frame: header.samples, hasADTS: false)
            )
        case "ac3", "eac3":
            guard let header = index.firstPacket.withUnsafeBytes({ AC3Header($0) }) else {
                return .failure(Obstacle("its packets are not \(codec) frames"))
            }
            // A sample of fMP4 has six blocks of audio (ETSI TS 102 366, F.5).
            guard header.samples == 1536 else {
                return .failure(Obstacle("its frames have \(header.samples) samples, and players take those of 1536"))
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
        default: return .failure(Obstacle("players do not take \(codec)"))
        }
    }

    private static func aac(_ index: StreamIndex) -> Result<CopiedCoding, Obstacle> {
        let header = index.firstPacket.withUnsafeBytes { ADTSHeader($0) }
        let told = AACConfiguration(index.info.extradata)
        let hasADTS = index.info.extradata.isEmpty
        guard let configuration = hasADTS ? header.map({ AACConfiguration($0) }) : told else {
            return .failure(Obstacle("its AAC configuration cannot be read"))
        }
        guard configuration.objectType == 2, (1...7).contains(configuration.channelConfiguration),
            !configuration.hasShortFrames
        else { return .failure(Obstacle("players do not take this kind of AAC")) }
        return .success(
            CopiedCoding(
                codec: .aac(configuration),
                clockRate: configuration.coreRate,
                frame: 1024,
                hasADTS: hasADTS
            )
        )
    }

    /// Why something cannot be copied, in words.
    struct Obstacle: Error {
        let words: String
        init(_ words: String) { self.words = words }
    }
}

extension AudioTrack {
    /// Places the packets of a stream that is copied in time.
    init?(copying index: StreamIndex, as coding: CopiedCoding) {
        guard let shown = index.packets.firstIndex(where: { !$0.isDiscarded }) else { return nil }
        // A frame or two before the first that counts lets decoders warm up, as they do in the source.
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
            // What follows evenly on what came before needs no look at each packet.
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
                starts.append(placer.place(at: said, length: frame))
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
        // What the decoder drops may reach over several packets, and begins with the one that says it: in a movie that
        // was cut without coding it anew, that is one long before the first that is delivered.
        let rate = max(1, index.info.sampleRate)
        let dropped = index.skips.filter { $0.key <= shown }.compactMap { place, skip -> Int64? in
            let packet = index.packets[place]
            guard place >= first || packet.pts != IndexedPacket.unknown else { return nil }
            let start = place >= first ? starts[place - first] : scale.rounded(packet.pts)
            return start + Int64(skip.start) * Int64(coding.clockRate) / Int64(rate)
        }
        // What would reach beyond all audio is no such place.
        let behind = end
        contentStart = dropped.filter { $0 < behind }.reduce(starts[shown - first], max)
    }
}
