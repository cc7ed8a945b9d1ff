internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// Builds one segment.
struct SegmentBuilder {
    let file: String
    let contents: RenditionContents
    /// The rates of transcoded video; nil if none is transcoded.
    let rates: FilmRates?
    let pool: InputPool
    /// The caches of coded frames.
    let coded: CodedTracks
    let cancellation: Cancellation

    private var plan: SegmentPlan { contents.plan }

    /// Builds a segment.
    func segment(_ number: Int, in container: SegmentContainer) throws -> [UInt8] {
        var tracks: [TrackSamples] = []
        if let film = contents.video {
            tracks.append(Self.empty(film.track, range: film.range(number), plan: plan))
            stretch(&tracks[0], film: film, number: number)
        }
        if let cutAudio = contents.audio {
            tracks.append(Self.empty(cutAudio.track, range: cutAudio.range(number), plan: plan))
        }
        try fill(&tracks, number: number, container: container)
        switch container {
        case .fmp4: return FragmentWriter.segment(number: number, tracks: tracks)
        case .ts: return TransportWriter.segment(number: number, tracks: tracks)
        }
    }

    /// Extends an I-frame until the next one.
    private func stretch(_ samples: inout TrackSamples, film: CutVideo, number: Int) {
        guard film.hasKeyframesOnly, let frame = film.keyframe(number) else { return }
        samples.stretch(frame, shift: plan.shift(timescale: film.track.timescale))
    }

    private func fill(_ tracks: inout [TrackSamples], number: Int, container: SegmentContainer) throws {
        var wanted: [Int: Range<Int>] = [:]
        var places: [Int: Place] = [:]
        if let film = contents.video {
            let video = film.track
            switch video.source {
            case .still(let image):
                for place in tracks[0].samples.indices {
                    tracks[0].samples[place].payload = .bytes(video.sample(image.coded[place], in: container))
                }
            case .transcoded(let transcoded):
                tracks[0].samples = try samples(film, transcoded, number: number, container: container)
                stretch(&tracks[0], film: film, number: number)
            case .copied:
                let range = film.range(number)
                wanted[video.stream.index] = video.packets(of: range)
                places[video.stream.index] = Place(
                    track: 0,
                    first: range.lowerBound,
                    film: video,
                    form: PayloadForm(video, index: contents.index.streams[video.stream.index], in: container)
                )
            }
        }
        if let cutAudio = contents.audio {
            let (audio, range) = (cutAudio.track, cutAudio.range(number))
            switch audio.source {
            case .copied(let coding, let first):
                wanted[audio.stream.index] = range.shifted(by: first)
                places[audio.stream.index] = Place(
                    track: tracks.count - 1,
                    first: range.lowerBound + first,
                    form: coding.hasADTS ? .withoutADTS : .asIs
                )
            case .transcoded(let map, _):
                guard let index = contents.index.streams[audio.stream.index] else { break }
                let encoder = AudioTranscoder(index: index, map: map, reader: packets.reader())
                let stretch = AudioStretch(stream: audio.stream.index, frames: range)
                let frames = try coded.audioTracks.pieces(of: stretch) { try encoder.frames(range) }
                for (place, bytes) in frames.enumerated() {
                    tracks[tracks.count - 1].samples[place].payload = .bytes(bytes)
                }
            }
        }
        if !wanted.isEmpty { try read(wanted, to: places, of: &tracks) }
    }

    /// Reads packets of copied streams into their samples.
    private func read(
        _ wanted: [Int: Range<Int>],
        to places: [Int: Place],
        of tracks: inout [TrackSamples]
    ) throws {
        let put = { (tracks: inout [TrackSamples], packet: StoredPackets.Read, isKey: Bool) in
            guard let place = places[packet.stream] else { return }
            guard let sample = place.sample(of: packet.number) else { return }
            let former = tracks[place.track].samples[sample].payload
            let payload = place.form.payload(
                packet.payload,
                isKey: isKey && former.count == 0,
                number: packet.number
            )
            tracks[place.track].samples[sample].payload = former.count == 0 ? payload : former.joined(with: payload)
        }
        guard !contents.index.isStored else {
            let stored = StoredPackets(file: file, index: contents.index, cancellation: cancellation)
            return try stored.read(wanted) { packet in
                put(&tracks, packet, contents.index.streams[packet.stream]?.packets[packet.number].isKey == true)
            }
        }
        let reader = packets.reader()
        try reader.begin(wanted)
        while let (stream, number, packet) = try reader.next() {
            put(&tracks, (stream, number, .packet(packet, skipping: 0)), packet.isKey)
        }
    }

    /// The placement of a copied stream's packets.
    private struct Place {
        var track: Int
        /// The frame of the track's first sample, or the packet number if each packet is a frame.
        var first: Int
        /// The film; nil for audio.
        var film: VideoTrack?
        var form: PayloadForm

        /// The sample of a packet; nil if it is not delivered.
        func sample(of packet: Int) -> Int? {
            guard let film else { return packet - first }
            return film.place(ofPacket: packet).map { $0 - first }
        }
    }

    /// The frames of transcoded video, each lasting until the next, and the last until the next segment.
    private func samples(
        _ film: CutVideo,
        _ transcoded: TranscodedVideo,
        number: Int,
        container: SegmentContainer
    ) throws -> [MediaSample] {
        let video = film.track
        guard let index = contents.index.streams[video.stream.index] else { return [] }
        let range = film.range(number)
        let duration = film.hasKeyframesOnly ? film.keyDuration(number) : nil
        let held = film.hasKeyframesOnly ? rates?.keys : rates?.segments
        let coded = try VideoTranscoder(
            index: index,
            track: video,
            transcoded: transcoded,
            source: packets,
            kept: self.coded.frames
        ).frames(
            range,
            number: number,
            duration: duration ?? plan.segments[number].duration,
            rates: held ?? VideoRates()
        )
        let shift = plan.shift(timescale: video.timescale)
        return coded.enumerated().map { place, frame in
            let time = video.pts[frame.place]
            let next = place + 1 < coded.count ? video.pts[coded[place + 1].place] : video.decodeEnd(of: range)
            return MediaSample(
                payload: .bytes(video.sample(frame.bytes, in: container)),
                dts: time + shift,
                pts: time + shift,
                duration: next - time,
                isKey: frame.isKey
            )
        }
    }

    private var packets: PacketSource {
        PacketSource(file: file, index: contents.index, pool: pool, cancellation: cancellation)
    }
}

extension SegmentBuilder {
    static func empty(_ video: VideoTrack, range: Range<Int>, plan: SegmentPlan) -> TrackSamples {
        let shift = plan.shift(timescale: video.timescale)
        let keys = Set(
            video.keys[video.keys.partitioningIndex { $0 >= range.lowerBound }...].prefix { $0 < range.upperBound }
        )
        let samples = range.map { place in
            MediaSample(
                dts: video.dts[place] + shift,
                pts: video.pts[place] + shift,
                duration: video.decodeEnd(of: place..<place + 1) - video.dts[place],
                isKey: keys.contains(place)
            )
        }
        return TrackSamples(
            format: video.format,
            timescale: video.timescale,
            samples: samples,
            start: (range.lowerBound < video.dts.count ? video.dts[range.lowerBound] : video.decodeEnd(of: range))
                + shift,
            next: range.upperBound < video.dts.count ? video.dts[range.upperBound] + shift : nil
        )
    }

    static func empty(_ audio: AudioTrack, range: Range<Int>, plan: SegmentPlan) -> TrackSamples {
        let shift = plan.shift(timescale: audio.clockRate)
        let samples = range.map { place in
            let start = audio.starts[place]
            return MediaSample(
                dts: start + shift,
                pts: start + shift,
                duration: audio.decodeEnd(of: place..<place + 1) - start,
                isKey: true
            )
        }
        return TrackSamples(
            format: audio.format,
            timescale: audio.clockRate,
            samples: samples,
            start: (range.lowerBound < audio.starts.count ? audio.starts[range.lowerBound] : audio.end) + shift,
            next: range.upperBound < audio.starts.count ? audio.starts[range.upperBound] + shift : nil
        )
    }
}

extension TrackSamples {
    /// Extends an I-frame until the next one, with its decode time equal to its presentation time.
    fileprivate mutating func stretch(_ frame: (start: Int64, end: Int64), shift: Int64) {
        for place in samples.indices {
            samples[place].dts = frame.start + shift
            samples[place].pts = frame.start + shift
            samples[place].duration = frame.end - frame.start
        }
        start = frame.start + shift
    }
}

extension SegmentPlan {
    /// The offset from source time to segment timestamps, in track units.
    func shift(timescale: Int64) -> Int64 {
        timestampOffset.rounded(scale: timescale) - origin.rounded(scale: timescale)
    }
}

extension VideoTrack {
    var format: TrackFormat { isHEVC ? .hevc(configuration) : .h264(configuration) }

    var isHEVC: Bool { codec == "hevc" }

    /// libav's name of the codec in segments.
    var codec: String {
        guard case .copied = source else { return "h264" }
        return stream.codec
    }

    /// Frames a coded frame for a container: with start codes or with lengths.
    func sample(_ coded: [UInt8], in container: SegmentContainer) -> [UInt8] {
        guard container == .fmp4 else { return coded }
        return coded.withUnsafeBytes { NALUnits.withLongLengths($0, units: configuration.units(of: $0)) }
    }

    /// The name of the MP4 sample entry.
    var sampleEntry: String {
        if let dolbyVision, !dolbyVision.hasPlainBase { return "dvh1" }
        return isHEVC ? "hvc1" : "avc1"
    }
}

extension AudioTrack {
    var format: TrackFormat {
        switch source {
        case .copied(let coding, _):
            switch coding.codec {
            case .aac(let configuration): .aac(configuration)
            case .mp3: .mp3(lowRate: coding.clockRate < 32000)
            case .ac3: .ac3
            case .eac3: .eac3
            case .flac: .flac
            case .alac: .alac
            case .opus: .opus
            }
        case .transcoded(let map, _):
            .aac(
                AACConfiguration(
                    objectType: 2,
                    rateIndex: AACConfiguration.rates.firstIndex(of: map.outputRate) ?? 4,
                    channelConfiguration: map.outputChannels
                )
            )
        }
    }
}

extension Range<Int> {
    /// The range moved by an offset.
    fileprivate func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
