internal import SegueBase
internal import SegueFFmpeg

/// A builder of rendition descriptions.
struct Describer {
    let contents: RenditionContents
    /// The measurements of transcoded tracks.
    let measured: MeasuredSizes

    private var plan: SegmentPlan { contents.plan }

    func describe(_ rendition: Rendition, in container: SegmentContainer) -> RenditionDescription {
        let reckoning = SegmentSizes(contents: contents, container: container, measured: measured)
        let length = plan.duration.seconds
        var tracks: [TrackDescription] = []
        if let video = contents.video {
            tracks.append(describe(video.track, bitRate: Double(reckoning.content(video) * 8) / length))
        }
        if let audio = contents.audio {
            tracks.append(describe(audio.track, bitRate: Double(reckoning.content(audio) * 8) / length))
        }
        let extent = extent
        let sizes = reckoning.whole()
        let listed = rendition.video == .keyframes ? keyframes : segments(extent)
        let longest = (plan.segments.map(\.duration) + listed.map(\.duration)).max() ?? .zero
        let rates = BitRates(
            listed.map { (sizes[$0.number], $0.duration.seconds) },
            target: max(1, longest.rounded(scale: 1))
        )
        return RenditionDescription(
            rendition: rendition,
            container: container,
            tracks: tracks,
            // A short last segment counts in the average, and not in the peak (RFC 8216, 4.1).
            peakBandwidth: max(1, Int(Int64(reckoned: max(rates.peak, rates.average).rounded(.up)))),
            averageBandwidth: max(1, Int(Int64(reckoned: rates.average.rounded(.up)))),
            extent: extent
        )
    }

    /// The rendition's extent on the timeline.
    var extent: RenditionExtent {
        let (video, audio) = (contents.video?.track, contents.audio?.track)
        let count = plan.segments.lastIndex { hasFrames($0.number) }.map { $0 + 1 } ?? 1
        let ends = [video?.end, audio.map { Rational($0.end, $0.clockRate) }].compactMap { $0 }.map { $0 - plan.origin }
        let final = plan.segments[count - 1]
        return RenditionExtent(
            segmentCount: count,
            end: min(final.end, max(ends.max() ?? final.end, final.start + Rational(1, 1000))),
            lateStart: audio == nil ? video.map { $0.start - plan.origin } ?? .zero : .zero,
            isIndependent: contents.video.map { isClosed($0) } ?? true
        )
    }

    /// The playlist's segments with their durations.
    private func segments(_ extent: RenditionExtent) -> [(number: Int, duration: Rational)] {
        let late = extent.lateStart
        return plan.segments.prefix(extent.segmentCount).map { segment in
            let isLate = segment.number == 0 && late > .zero && late < min(Rational(1, 2), segment.duration)
            let end = segment.number == extent.segmentCount - 1 ? extent.end : segment.end
            return (segment.number, end - (isLate ? late : segment.start))
        }
    }

    /// The I-frame playlist's segments: each lasts until the next.
    private var keyframes: [(number: Int, duration: Rational)] {
        guard let video = contents.video else { return [] }
        return plan.segments.compactMap { segment in
            video.keyDuration(segment.number).map { (segment.number, $0) }
        }
    }

    private func hasFrames(_ number: Int) -> Bool {
        contents.video?.range(number).isEmpty == false || contents.audio?.range(number).isEmpty == false
    }

    /// True if every segment displays only its own frames, so none before another is shown in it.
    private func isClosed(_ film: CutVideo) -> Bool {
        let (video, times) = (film.track, film.track.cutTimes)
        let starts = Set(film.starts.dropFirst())
        return video.keys.indices.allSatisfy { key in
            !starts.contains(video.keys[key]) || times[key] == video.pts[video.keys[key]]
        }
    }

    private func describe(_ video: VideoTrack, bitRate: Double) -> TrackDescription {
        TrackDescription(
            kind: .video,
            sourceStream: video.stream.index,
            sourceCodec: video.stream.codec,
            codec: video.codec,
            treatment: video.treatment,
            codecString: video.codecString,
            supplementalCodec: video.supplementalCodec,
            sampleRate: 0,
            channels: 0,
            width: video.size.width,
            height: video.size.height,
            turn: video.deliveredTurn.isUpright ? nil : video.deliveredTurn,
            frameRate: video.still.map { Rational(1) / $0.interval } ?? VideoFrameRates(video).average,
            greatestFrameRate: video.still.map { Rational(1) / $0.interval } ?? VideoFrameRates(video).greatest,
            videoRange: video.range,
            dynamicRange: DynamicRange(
                video,
                firstFrame: contents.index.streams[video.stream.index]?.firstPacket ?? []
            ).words,
            language: video.stream.language,
            isStill: video.still != nil,
            estimatedBitsPerSecond: Int(Int64(reckoned: bitRate)),
            primingSamples: 0,
            paddingSamples: 0,
            contentSamples: nil,
            leadingFrames: video.leadingFrames,
            trailingFrames: video.trailingFrames,
            droppedFrames: video.firstPacket,
            joinedPackets: video.joined?.joined ?? 0
        )
    }

    private func describe(_ audio: AudioTrack, bitRate: Double) -> TrackDescription {
        var codec = audio.stream.codec
        var treatment = Treatment.copy
        var sampleRate = audio.stream.sampleRate
        var channels = audio.stream.channels
        var padding = 0
        var content: Int?
        if case .transcoded(let map, let reason) = audio.source {
            codec = "aac"
            treatment = .transcode(reason: reason)
            sampleRate = map.outputRate
            channels = map.outputChannels
            content = Int(map.contentCount)
            padding =
                (AudioMap.frame - Int(map.outputCount) % AudioMap.frame) % AudioMap.frame + Int(map.silence.after)
        }
        let priming = Rational(audio.contentStart - audio.starts[0], audio.clockRate)
        return TrackDescription(
            kind: .audio,
            sourceStream: audio.stream.index,
            sourceCodec: audio.stream.codec,
            codec: codec,
            treatment: treatment,
            codecString: audio.codecString,
            supplementalCodec: nil,
            sampleRate: sampleRate,
            channels: channels,
            width: 0,
            height: 0,
            turn: nil,
            frameRate: nil,
            greatestFrameRate: nil,
            videoRange: nil,
            dynamicRange: nil,
            language: audio.stream.language,
            isStill: false,
            estimatedBitsPerSecond: Int(Int64(reckoned: bitRate)),
            primingSamples: Int(priming.rounded(scale: Int64(sampleRate))),
            paddingSamples: padding,
            contentSamples: content,
            leadingFrames: 0,
            trailingFrames: 0,
            droppedFrames: 0,
            joinedPackets: 0
        )
    }
}

extension VideoTrack {
    /// True if the source's coded frames are delivered.
    fileprivate var isCopied: Bool {
        guard case .copied = source else { return false }
        return true
    }

    /// The transform that a player must apply; transcoded video is already upright.
    fileprivate var deliveredTurn: VideoRotation { isCopied ? stream.turn : VideoRotation(matrix: nil) }

    /// The treatment of the source's video.
    fileprivate var treatment: Treatment {
        switch source {
        case .copied: .copy
        case .transcoded(let transcoded): .transcode(reason: transcoded.reason)
        case .still: .transcode(reason: "cover art is shown as a still video")
        }
    }

    /// The displayed size, in coded pixels.
    var size: (width: Int, height: Int) {
        if let still { return (still.width, still.height) }
        if let settings = transcoded?.settings { return (settings.width, settings.height) }
        return stream.uprightSize
    }

    /// The codec for CODECS: that of the base layer if it can be shown alone.
    fileprivate var codecString: String {
        if let vision = dolbyVision, !vision.hasPlainBase { return vision.codecString }
        return configuration.codecString ?? sampleEntry
    }

    /// The codec with its brand for SUPPLEMENTAL-CODECS; nil if there is none.
    fileprivate var supplementalCodec: String? {
        guard let vision = dolbyVision, vision.hasPlainBase, let brand = vision.brand else { return nil }
        return "\(vision.codecString)/\(brand)"
    }

    /// The value of VIDEO-RANGE.
    var range: String {
        if let vision = dolbyVision, !vision.hasPlainBase { return "PQ" }
        return switch (transcoded?.settings.colour ?? stream.colour)["color_trc"] {
        case "smpte2084": "PQ"
        case "arib-std-b67": "HLG"
        default: "SDR"
        }
    }
}

extension AudioTrack {
    var codecString: String {
        switch format {
        case .aac(let configuration):
            guard case .copied = source else { return "mp4a.40.2" }
            if configuration.usacFrame != nil { return "mp4a.40.42" }
            if configuration.hasPS || stream.profile == 28 { return "mp4a.40.29" }
            if configuration.hasSBR || stream.profile == 4 { return "mp4a.40.5" }
            return "mp4a.40.2"
        case .mp3: return "mp4a.40.34"
        case .ac3: return "ac-3"
        case .eac3: return "ec-3"
        case .flac: return "fLaC"
        case .alac: return "alac"
        case .opus: return "Opus"
        case .h264, .hevc: return ""
        }
    }
}

extension RenditionContents {
    /// The tracks of the init segment.
    func initTracks() throws -> [InitWriter.Track] {
        let (video, audio) = (video?.track, audio?.track)
        var result: [InitWriter.Track] = []
        if let video { result.append(initTrack(video, index.streams[video.stream.index])) }
        if let audio, let stream = index.streams[audio.stream.index] {
            result.append(try initTrack(audio, stream))
        }
        return result
    }

    private func initTrack(_ video: VideoTrack, _ stream: StreamIndex?) -> InitWriter.Track {
        var parameters = video.still?.parameters ?? video.transcoded?.parameters ?? video.stream.parameters
        if video.configuration.isInBand {
            parameters = parameters.with(
                codecTag: 0,
                extradata: VideoConfiguration.plain(video.configuration.parameterSets)
            )
        }
        return InitWriter.Track(
            parameters: parameters,
            tag: video.sampleEntry,
            timescale: video.timescale,
            // The muxer only looks for a frame's start code.
            example: video.isCopied ? stream?.firstPacket ?? [] : [0, 0, 0, 1, 0x65, 0x88, 0x84, 0],
            displayMatrix: video.deliveredTurn.matrix,
            dolbyVision: video.dolbyVision,
            language: video.stream.language
        )
    }

    private func initTrack(_ audio: AudioTrack, _ stream: StreamIndex) throws -> InitWriter.Track {
        switch audio.source {
        case .transcoded(let map, _):
            return InitWriter.Track(
                parameters: try AudioTranscoder.open(map).parameters,
                tag: nil,
                timescale: audio.clockRate,
                example: [UInt8](repeating: 0, count: 8),
                language: audio.stream.language
            )
        case .copied(let coding, _):
            var parameters = audio.stream.parameters
            var example = stream.firstPacket
            if case .aac(let configuration) = coding.codec, coding.hasADTS {
                parameters = parameters.with(codecTag: 0, extradata: configuration.bytes)
                example = Array(example.dropFirst(7))
            }
            return InitWriter.Track(
                parameters: parameters,
                tag: nil,
                timescale: audio.clockRate,
                example: example,
                language: audio.stream.language
            )
        }
    }
}
