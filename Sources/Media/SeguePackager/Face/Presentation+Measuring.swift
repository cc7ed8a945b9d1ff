internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import Synchronization

/// What was measured of a presentation's transcoded tracks.
struct MeasuredTracks: Sendable {
    /// Sizes of coded frames of audio, by stream.
    var soundFrames: [Int: AudioFrameSizes] = [:]
    /// Bytes of coded frames, by what they are held to.
    var films: [VideoLimits: FilmRates] = [:]
}

extension Presentation {
    /// Sizes of transcoded audio and video, each measured once; 0 where none are transcoded.
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

    /// The rates of transcoded frames; measured when they are requested the first time.
    ///
    /// - Parameters:
    ///   - video: The frames.
    ///   - pictures: How they are transcoded.
    ///   - index: The packets of the file.
    ///   - isForMaking: True if only what segments are held to is wanted, and not how large they are.
    ///   - cancellation: Cancels the work.
    /// - Returns: The rates.
    /// - Throws: ``MediaError`` or ``PackagingError`` if the source cannot be read or the work is cancelled.
    func measure(
        _ video: CutVideo,
        pictures: TranscodedVideo,
        index: FileIndex,
        isForMaking: Bool = false,
        cancellation: Cancellation
    ) throws -> FilmRates {
        let limits = pictures.settings.limits
        if let known = measured.withLock({ $0.films[limits] }) { return known }
        // One measures; those who come meanwhile wait for it, as segments are made side by side.
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
        // Whoever asks first, and for what: what is measured is of the whole film.
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
