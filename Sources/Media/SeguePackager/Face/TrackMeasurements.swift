internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import Synchronization

/// A version of a file's transcoded video.
private struct MeasuredFilm: Hashable {
    let limits: VideoLimits
    /// The subtitle stream in the video; nil without.
    let burned: Int?

    init(_ transcoded: TranscodedVideo) {
        (limits, burned) = (transcoded.settings.limits, transcoded.burned?.index)
    }
}

/// The measurements of a file's transcoded tracks, each made once.
final class TrackMeasurements: Sendable {
    private let identity: FileIdentity
    private let plan: SegmentPlan
    private let pool: InputPool
    private let coded: CodedTracks
    /// Coded audio frame sizes, by stream.
    private let audioFrames = Mutex<[Int: AudioFrameSizes]>([:])
    /// Coded video rates.
    private let films = Mutex<[MeasuredFilm: FilmRates]>([:])
    /// Serializes the measurements of video.
    private let measuring = Mutex(())

    init(identity: FileIdentity, plan: SegmentPlan, pool: InputPool, coded: CodedTracks) {
        (self.identity, self.plan, self.pool, self.coded) = (identity, plan, pool, coded)
    }

    /// Returns the sizes of transcoded audio and video, measuring each once; 0 if nothing is transcoded.
    func sizes(
        of contents: RenditionContents,
        _ cancellation: Cancellation
    ) throws(PackagingError) -> MeasuredSizes {
        var sizes = MeasuredSizes()
        do {
            if let audio = contents.audio, case .transcoded(let map, _) = audio.track.source {
                sizes.audio = try frames(of: audio, map: map, index: contents.index, cancellation: cancellation)
            }
            if let video = contents.video, let transcoded = video.track.transcoded {
                sizes.film = try rates(
                    of: video,
                    transcoded: transcoded,
                    index: contents.index,
                    cancellation: cancellation
                )
            }
        } catch {
            throw PackagingError.wrapping(error, file: identity.path)
        }
        return sizes
    }

    private func frames(
        of audio: CutAudio,
        map: AudioMap,
        index: FileIndex,
        cancellation: Cancellation
    ) throws -> AudioFrameSizes {
        let number = audio.track.stream.index
        if let known = audioFrames.withLock({ $0[number] }) { return known }
        guard let stream = index.streams[number] else { return AudioFrameSizes() }
        try identity.check()
        let encoder = AudioTranscoder(index: stream, map: map, reader: packets(index, cancellation).reader())
        let size = try encoder.frameSizes(of: plan.segments.map { audio.range($0.number) }) { range in
            try coded.audioTracks.pieces(of: AudioStretch(stream: number, frames: range)) { try encoder.frames(range) }
        }
        audioFrames.withLock { $0[number] = size }
        return size
    }

    /// Returns the rates of transcoded video, measuring once; with `isForMaking`, only the limits for segments.
    func rates(
        of video: CutVideo,
        transcoded: TranscodedVideo,
        index: FileIndex,
        isForMaking: Bool = false,
        cancellation: Cancellation
    ) throws -> FilmRates {
        let version = MeasuredFilm(transcoded)
        if let known = films.withLock({ $0[version] }) { return known }
        // The first caller measures; concurrent callers wait, because segments are made in parallel.
        return try measuring.withLock { _ in
            if let known = films.withLock({ $0[version] }) { return known }
            return try measure(
                video,
                transcoded: transcoded,
                index: index,
                isForMaking: isForMaking,
                cancellation: cancellation
            )
        }
    }

    private func measure(
        _ video: CutVideo,
        transcoded: TranscodedVideo,
        index: FileIndex,
        isForMaking: Bool,
        cancellation: Cancellation
    ) throws -> FilmRates {
        guard let stream = index.streams[video.track.stream.index] else { return FilmRates() }
        try identity.check()
        let encoder = VideoTranscoder(
            index: stream,
            track: video.track,
            transcoded: transcoded,
            source: packets(index, cancellation),
            kept: coded.frames
        )
        // The measurement covers the whole video, independent of the caller.
        var whole = video
        whole.hasKeyframesOnly = false
        let measuring = VideoMeasuring(
            encoder: encoder,
            ranges: plan.segments.map { whole.range($0.number) },
            durations: plan.segments.map(\.duration),
            keyDurations: plan.segments.map { whole.keyDuration($0.number) ?? $0.duration }
        )
        if isForMaking, let rates = measuring.ratesOfShort { return rates }
        let rates = try measuring.rates()
        films.withLock { $0[MeasuredFilm(transcoded)] = rates }
        return rates
    }

    private func packets(_ index: FileIndex, _ cancellation: Cancellation) -> PacketSource {
        PacketSource(file: identity.path, index: index, pool: pool, cancellation: cancellation)
    }
}
