internal import Media
internal import Timeline

/// Sizes of what transcoding gives, measured at a few places.
struct MeasuredSizes: Sendable {
    /// Bytes of a coded frame of sound; 0 where none is transcoded.
    var soundFrame = 0
    /// Bytes of coded pictures; nothing where none are transcoded.
    var pictures = PictureRates()
}

/// How many bytes each segment of a rendition has, reckoned from the index without making it.
struct SegmentSizes {
    let contents: Contents
    let plan: SegmentPlan
    let rendition: Rendition
    let container: SegmentContainer
    /// What was measured of transcoded tracks.
    let measured: MeasuredSizes

    /// The bytes of a track in each segment.
    func sizes(_ video: VideoTrack) -> [Int] {
        let packets = contents.index.streams[video.stream.index]?.packets ?? []
        let sets = video.stream.extradata.count
        return plan.segments.indices.map { number in
            let range = video.range(contents, number)
            let payloads: [Int]
            switch video.source {
            case .copied: payloads = range.map { Int(packets[$0 + video.firstPacket].size) }
            case .transcoded:
                let whole = number < measured.pictures.sizes.count ? measured.pictures.sizes[number] : 0
                let share = { (place: Int) in whole * (place - range.lowerBound) / range.count }
                payloads = range.map { share($0 + 1) - share($0) }
                if container == .ts {
                    return transport(payloads.map { ($0 + 6 + 14, 176) }) + (range.isEmpty ? 0 : sets)
                }
            }
            switch container {
            case .fmp4: return fragment(payloads, seconds: plan.segments[number].duration)
            case .ts:
                let keys =
                    video.keys.partitioningIndex { $0 >= range.upperBound }
                    - video.keys.partitioningIndex { $0 >= range.lowerBound }
                return transport(payloads.map { ($0 + 6 + 19, 176) }) + keys * sets
            }
        }
    }

    /// The bytes of a track in each segment.
    func sizes(_ audio: AudioTrack) -> [Int] {
        let packets = contents.index.streams[audio.stream.index]?.packets ?? []
        return plan.segments.indices.map { number in
            let range = audio.range(contents, number)
            let payloads: [Int]
            var header = 0
            switch audio.source {
            case .copied(let coding, let first):
                payloads = range.map { Int(packets[$0 + first].size) - (coding.hasADTS ? 7 : 0) }
                if case .aac = coding.codec { header = 7 }
            case .transcoded:
                payloads = range.map { _ in measured.soundFrame }
                header = 7
            }
            switch container {
            case .fmp4: return fragment(payloads, seconds: plan.segments[number].duration)
            case .ts:
                let frame = range.isEmpty ? 0 : audio.decodeEnd(of: range.lowerBound..<range.lowerBound + 1)
                let ticks = range.isEmpty ? 0 : (frame - audio.starts[range.lowerBound]) * 90000 / audio.clockRate
                let most = max(1, Int(TransportWriter.longestAudioPES / max(1, ticks)))
                let isAlone = !rendition.hasPicture || contents.playableVideo == nil
                let clock = isAlone ? Int(8 * ticks / TransportClock.interval) : 0
                return transport(grouped(payloads.map { $0 + header + clock }, most: most).map { ($0 + 14, 184) })
            }
        }
    }

    /// The bytes of clock references that have packets of their own, in each segment.
    func clocks(_ video: VideoTrack) -> [Int] {
        guard container == .ts else { return [Int](repeating: 0, count: plan.segments.count) }
        return plan.segments.map { segment in
            let range = video.range(contents, segment.number)
            guard !range.isEmpty else {
                return 188 * Int(clamping: segment.duration.rounded(scale: 90000) / TransportClock.interval)
            }
            let most = TransportClock.interval * video.timescale / 90000
            let references = range.reduce(0) { count, place in
                let step = video.decodeEnd(of: place..<place + 1) - video.dts[place]
                return count + max(0, Int(clamping: (step - 1) / max(1, most)))
            }
            return 188 * references
        }
    }

    private func fragment(_ payloads: [Int], seconds: Rational) -> Int {
        // A track's boxes and its rows, and half of what a segment has besides.
        let runs = FragmentWriter.runs(seconds: seconds) * FragmentWriter.runHeader
        return 44 + 28 + runs + payloads.reduce(0) { $0 + $1 + FragmentWriter.row }
    }

    private func transport(_ units: [(size: Int, first: Int)]) -> Int {
        let packets = units.reduce(0) { $0 + 1 + max(0, $1.size - $1.first + 183) / 184 }
        return 188 * ((packets + 15) / 16 * 16 + 1)
    }

    private func grouped(_ payloads: [Int], most: Int) -> [Int] {
        var (groups, count): ([Int], Int) = ([], 0)
        for size in payloads {
            if let last = groups.last, count < most, last + size < TransportWriter.greatestAudioPES {
                groups[groups.count - 1] = last + size
                count += 1
            } else {
                groups.append(size)
                count = 1
            }
        }
        return groups
    }
}

extension SoundEncoder {
    /// Bytes of a coded frame on average: of half a minute all are measured, of more those at a few places.
    func typicalFrameSize(frames: Int) throws -> Int {
        let window = 48
        guard frames > 1500 else {
            let sizes = try self.frames(0..<frames).map(\.count)
            return max(1, sizes.reduce(0, +) / max(1, sizes.count))
        }
        var sizes: [Int] = []
        for place in [1, 3, 5, 7, 9, 11].map({ frames * $0 / 12 }) {
            sizes += try self.frames(place..<min(frames, place + window)).map(\.count)
        }
        return max(1, sizes.reduce(0, +) / max(1, sizes.count))
    }
}
