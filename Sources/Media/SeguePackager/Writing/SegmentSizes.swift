internal import SegueBase
internal import SegueFFmpeg

/// The measured sizes of transcoded tracks.
struct MeasuredSizes: Sendable {
    /// Audio frame sizes; empty if none is transcoded.
    var audio = AudioFrameSizes()
    /// Video rates; empty if none is transcoded.
    var film = FilmRates()
}

/// The segment sizes of a rendition, computed from the index.
///
/// Container overhead is counted as written, so sizes are exact for copied audio, and nearly exact for copied video,
/// whose framing and parameter sets may change.
struct SegmentSizes {
    let contents: RenditionContents
    let container: SegmentContainer
    /// The measurements of transcoded tracks.
    let measured: MeasuredSizes

    private var plan: SegmentPlan { contents.plan }

    /// The size of each segment, in bytes.
    func whole() -> [Int] {
        let (video, audio) = (contents.video, contents.audio)
        return plan.segments.map { segment in
            let number = segment.number
            switch container {
            case .fmp4:
                let tracks = [video.map { times($0, number) }, audio.map { times($0, number) }].compactMap { $0 }
                let content = (video.map { frames($0, number) } ?? []) + (audio.map { frames($0, number) } ?? [])
                return FragmentWriter.size(tracks, content: content.reduce(0, +))
            case .ts:
                return TransportCount.size(
                    [video.map { units($0, number) }, audio.map { units($0, number) }].compactMap { $0 }
                )
            }
        }
    }

    /// The bytes of all video frames.
    func content(_ video: CutVideo) -> Int {
        plan.segments.reduce(0) { $0 + frames(video, $1.number).reduce(0, +) }
    }

    /// The bytes of all audio frames.
    func content(_ audio: CutAudio) -> Int {
        plan.segments.reduce(0) { $0 + frames(audio, $1.number).reduce(0, +) }
    }

    /// The frame sizes of a segment.
    private func frames(_ film: CutVideo, _ number: Int) -> [Int] {
        let video = film.track
        let range = film.range(number)
        switch video.source {
        case .still(let image): return range.indices.map { image.coded[$0 - range.lowerBound].count }
        case .copied:
            let packets = contents.index.streams[video.stream.index]?.packets ?? []
            guard video.joined != nil else { return range.map { packets.size(at: $0 + video.firstPacket) } }
            return range.map { video.packets(of: $0..<$0 + 1).reduce(0) { $0 + packets.size(at: $1) } }
        case .transcoded:
            let (segments, keys) = (measured.film.segments, measured.film.keys)
            guard number < segments.sizes.count, number < keys.sizes.count else { return range.map { _ in 0 } }
            if film.hasKeyframesOnly { return range.map { _ in keys.sizes[number] } }
            if segments.frameSizes.count == video.pts.count { return Array(segments.frameSizes[range]) }
            let first = min(segments.sizes[number], keys.sizes[number])
            return [first] + shares(of: segments.sizes[number] - first, range.dropFirst())
        }
    }

    /// Distributes a total over frames with the variation of the sampled frames.
    private func shares(of bytes: Int, _ places: Range<Int>) -> [Int] {
        let pattern = measured.film.segments.pattern
        let weights = places.map { pattern.isEmpty ? 1 : pattern[$0 % pattern.count] + 1 }
        let all = max(1, weights.reduce(0, +))
        var (seen, given) = (0, 0)
        return weights.map { weight in
            seen += weight
            let share = bytes * seen / all - given
            given += share
            return share
        }
    }

    /// The audio frame sizes of a segment.
    private func frames(_ cutAudio: CutAudio, _ number: Int) -> [Int] {
        let audio = cutAudio.track
        let range = cutAudio.range(number)
        switch audio.source {
        case .copied(let coding, let first):
            let packets = contents.index.streams[audio.stream.index]?.packets ?? []
            return range.map { max(0, packets.size(at: $0 + first) - (coding.hasADTS ? 7 : 0)) }
        case .transcoded: return range.map { measured.audio.size(of: $0) }
        }
    }

    /// The decode times of a segment, with their unit.
    private func times(_ film: CutVideo, _ number: Int) -> FragmentWriter.Times {
        let video = film.track
        let shift = plan.shift(timescale: video.timescale)
        let range = film.range(number)
        if film.hasKeyframesOnly, let frame = film.keyframe(number) {
            return FragmentWriter.Times(dts: range.map { _ in frame.start + shift }, timescale: video.timescale)
        }
        let dts = video.transcoded == nil ? video.dts : video.pts
        return FragmentWriter.Times(dts: range.map { dts[$0] + shift }, timescale: video.timescale)
    }

    private func times(_ cutAudio: CutAudio, _ number: Int) -> FragmentWriter.Times {
        let audio = cutAudio.track
        let shift = plan.shift(timescale: audio.clockRate)
        let range = cutAudio.range(number)
        return FragmentWriter.Times(dts: range.map { audio.starts[$0] + shift }, timescale: audio.clockRate)
    }

    /// The PES packets of a segment's video.
    private func units(_ film: CutVideo, _ number: Int) -> TransportCount.Track {
        let video = film.track
        let range = film.range(number)
        let samples = SegmentBuilder.empty(video, range: range, plan: plan)
        let keyframe = film.hasKeyframesOnly ? film.keyframe(number) : nil
        let shift = plan.shift(timescale: video.timescale)
        // Start-code framing includes parameter sets and delimiters; length framing does not.
        let isBare = video.transcoded != nil || video.configuration.lengthSize != nil
        let sets = isBare ? video.configuration.parameterSets.reduce(0) { $0 + 4 + $1.count } : 0
        let units = zip(samples.samples, frames(film, number)).map { sample, size in
            let (dts, pts) =
                keyframe.map { ($0.start + shift, $0.start + shift) }
                ?? (video.transcoded == nil ? sample.dts : sample.pts, sample.pts)
            // In encoded video, only a segment's first frame is a keyframe.
            let hasSets = sample.isKey && (video.transcoded == nil || sample.dts == samples.start)
            return TransportCount.Unit(
                dts: ElementaryUnits.ticks(dts, video.timescale),
                pts: ElementaryUnits.ticks(pts, video.timescale),
                content: size + (isBare ? ElementaryUnits.delimiter.count : 0) + (hasSets ? sets : 0)
            )
        }
        return TransportCount.Track(
            units: units,
            next: samples.next.map { ElementaryUnits.ticks($0, video.timescale) }
        )
    }

    /// The PES packets of a segment's audio.
    private func units(_ cutAudio: CutAudio, _ number: Int) -> TransportCount.Track {
        let audio = cutAudio.track
        var samples = SegmentBuilder.empty(audio, range: cutAudio.range(number), plan: plan)
        for (place, size) in frames(cutAudio, number).enumerated() {
            samples.samples[place].payload = .unknown(count: size)
        }
        return TransportCount.Track(
            units: ElementaryUnits(samples).units.map(TransportCount.Unit.init),
            next: samples.next.map { ElementaryUnits.ticks($0, audio.clockRate) }
        )
    }
}
