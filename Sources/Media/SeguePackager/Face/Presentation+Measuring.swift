internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import Synchronization

/// The measurements of a presentation's transcoded tracks.
struct MeasuredTracks: Sendable {
    /// Coded audio frame sizes, by stream.
    var soundFrames: [Int: AudioFrameSizes] = [:]
    /// Coded video rates, by limits.
    var films: [VideoLimits: FilmRates] = [:]
}

extension Presentation {
    /// Returns the sizes of transcoded audio and video, measuring each once; 0 if nothing is transcoded.
    func measure(
        _ contents: RenditionContents,
        _ cancellation: Cancellation
    ) throws(PackagingError) -> MeasuredSizes {
        var sizes = MeasuredSizes()
        do {
            if let audio = contents.audio, case .transcoded(let map, _) = audio.track.source {
                sizes.sound = try measure(audio, map: map, index: contents.index, cancellation: cancellation)
            }
            if let video = contents.video, let pictures = video.track.transcoded {
                sizes.film = try measure(video, pictures: pictures, index: contents.index, cancellation: cancellation)
            }
        } catch {
            throw PackagingError.wrapping(error, file: identity.path)
        }
        return sizes
    }

    private func measure(
        _ audio: CutAudio,
        map: AudioMap,
        index: FileIndex,
        cancellation: Cancellation
    ) throws -> AudioFrameSizes {
        let number = audio.track.stream.index
        if let known = measured.withLock({ $0.soundFrames[number] }) { return known }
        guard let stream = index.streams[number] else { return AudioFrameSizes() }
        try checkIdentity()
        let encoder = AudioTranscoder(index: stream, map: map, reader: packets(index, cancellation).reader())
        let size = try encoder.frameSizes(of: plan.segments.map { audio.range($0.number) }) { range in
            try coded.sounds.pieces(of: AudioStretch(stream: number, frames: range)) { try encoder.frames(range) }
        }
        measured.withLock { $0.soundFrames[number] = size }
        return size
    }

    /// Returns the rates of transcoded video, measuring once; with `isForMaking`, only the limits for segments.
    func measure(
        _ video: CutVideo,
        pictures: TranscodedVideo,
        index: FileIndex,
        isForMaking: Bool = false,
        cancellation: Cancellation
    ) throws -> FilmRates {
        let limits = pictures.settings.limits
        if let known = measured.withLock({ $0.films[limits] }) { return known }
        // The first caller measures; concurrent callers wait, because segments are made in parallel.
        return try measuring.withLock { _ in
            if let known = measured.withLock({ $0.films[limits] }) { return known }
            return try rates(
                video,
                pictures: pictures,
                index: index,
                isForMaking: isForMaking,
                cancellation: cancellation
            )
        }
    }

    private func rates(
        _ video: CutVideo,
        pictures: TranscodedVideo,
        index: FileIndex,
        isForMaking: Bool,
        cancellation: Cancellation
    ) throws -> FilmRates {
        guard let stream = index.streams[video.track.stream.index] else { return FilmRates() }
        try checkIdentity()
        let encoder = VideoTranscoder(
            index: stream,
            track: video.track,
            pictures: pictures,
            source: packets(index, cancellation),
            kept: coded.pictures
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
        measured.withLock { $0.films[pictures.settings.limits] = rates }
        return rates
    }

    func packets(_ index: FileIndex, _ cancellation: Cancellation) -> PacketSource {
        PacketSource(file: identity.path, index: index, pool: pool, cancellation: cancellation)
    }
}
