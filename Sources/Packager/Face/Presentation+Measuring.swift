internal import Media
internal import Synchronization
internal import Timeline

/// What was measured of a presentation's transcoded tracks.
struct MeasuredTracks: Sendable {
    /// Sizes of coded frames of sound, by stream.
    var soundFrames: [Int: SoundFrameSizes] = [:]
    /// Bytes of coded pictures, by what they are held to.
    var films: [PictureLimits: FilmRates] = [:]
}

extension Presentation {
    /// Sizes of transcoded sound and pictures, each measured once; 0 where none are transcoded.
    func measure(
        _ tracks: (video: VideoTrack?, audio: AudioTrack?),
        _ contents: Contents,
        _ cancellation: Cancellation
    ) throws(PackagingError) -> MeasuredSizes {
        var sizes = MeasuredSizes()
        do {
            if let audio = tracks.audio, case .transcoded(let map, _) = audio.source {
                sizes.sound = try measure(audio, map, contents, cancellation)
            }
            if let video = tracks.video, case .transcoded(let pictures) = video.source {
                sizes.film = try measure(video, pictures, contents, cancellation)
            }
        } catch {
            throw PackagingError.wrapping(error, file: identity.path)
        }
        return sizes
    }

    private func measure(
        _ audio: AudioTrack,
        _ map: SoundMap,
        _ contents: Contents,
        _ cancellation: Cancellation
    ) throws -> SoundFrameSizes {
        let number = audio.stream.index
        if let known = measured.withLock({ $0.soundFrames[number] }) { return known }
        guard let index = contents.index.streams[number] else { return SoundFrameSizes() }
        try checkIdentity()
        let size = try SoundEncoder(index: index, map: map, reader: packets(contents, cancellation).reader())
            .frameSizes(of: plan.segments.map { audio.range(contents, $0.number) })
        measured.withLock { $0.soundFrames[number] = size }
        return size
    }

    /// The rates of transcoded pictures; measured when they are asked for the first time.
    ///
    /// - Parameters:
    ///   - video: The pictures.
    ///   - pictures: How they are coded anew.
    ///   - contents: What the rendition is made from.
    ///   - isForMaking: Whether only what segments are held to is wanted, and not how large they are.
    ///   - cancellation: Stops the work.
    /// - Returns: The rates.
    /// - Throws: ``MediaError`` or ``PackagingError`` when the source cannot be read or the work is cancelled.
    func measure(
        _ video: VideoTrack,
        _ pictures: TranscodedPictures,
        _ contents: Contents,
        isForMaking: Bool = false,
        _ cancellation: Cancellation
    ) throws -> FilmRates {
        let limits = pictures.settings.limits
        if let known = measured.withLock({ $0.films[limits] }) { return known }
        // One measures; those who come meanwhile wait for it, as segments are made side by side.
        return try measuring.withLock { _ in
            if let known = measured.withLock({ $0.films[limits] }) { return known }
            return try rates(video, pictures, contents, isForMaking: isForMaking, cancellation)
        }
    }

    private func rates(
        _ video: VideoTrack,
        _ pictures: TranscodedPictures,
        _ contents: Contents,
        isForMaking: Bool,
        _ cancellation: Cancellation
    ) throws -> FilmRates {
        guard let index = contents.index.streams[video.stream.index] else { return FilmRates() }
        try checkIdentity()
        let encoder = PictureEncoder(
            index: index,
            track: video,
            pictures: pictures,
            source: packets(contents, cancellation)
        )
        // Whoever asks first, and for what: what is measured is of the whole film.
        var whole = contents
        whole.hasKeyframesOnly = false
        let measuring = PictureMeasuring(
            encoder: encoder,
            ranges: plan.segments.map { video.range(whole, $0.number) },
            durations: plan.segments.map(\.duration),
            keyDurations: plan.segments.map { video.keyDuration(whole, plan, $0.number) ?? $0.duration }
        )
        if isForMaking, let rates = measuring.ratesOfShort { return rates }
        let rates = try measuring.rates()
        measured.withLock { $0.films[pictures.settings.limits] = rates }
        return rates
    }

    func packets(_ contents: Contents, _ cancellation: Cancellation) -> PacketSource {
        PacketSource(file: identity.path, index: contents.index, pool: pool, cancellation: cancellation)
    }
}
