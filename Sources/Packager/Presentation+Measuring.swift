internal import Media
internal import Synchronization
internal import Timeline

/// What was measured of a presentation's transcoded tracks.
struct MeasuredTracks: Sendable {
    /// Bytes of a coded frame of sound, by stream.
    var soundFrames: [Int: Int] = [:]
    /// Bytes of coded pictures, by what they are held to.
    var pictures: [PictureLimits: PictureRates] = [:]
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
                sizes.soundFrame = try measure(audio, map, contents, cancellation)
            }
            if let video = tracks.video, case .transcoded(let pictures) = video.source {
                sizes.pictures = try measure(video, pictures, contents, cancellation)
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
    ) throws -> Int {
        let number = audio.stream.index
        if let known = measured.withLock({ $0.soundFrames[number] }) { return known }
        guard let index = contents.index.streams[number] else { return 0 }
        try checkIdentity()
        let size = try SoundEncoder(index: index, map: map, reader: reader(contents, cancellation))
            .typicalFrameSize(frames: audio.starts.count)
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
    ) throws -> PictureRates {
        let limits = pictures.settings.limits
        if let known = measured.withLock({ $0.pictures[limits] }) { return known }
        guard let index = contents.index.streams[video.stream.index] else { return PictureRates() }
        try checkIdentity()
        let encoder = PictureEncoder(
            index: index,
            track: video,
            pictures: pictures,
            reader: reader(contents, cancellation),
            cancellation: cancellation
        )
        let measuring = PictureMeasuring(
            encoder: encoder,
            ranges: plan.segments.map { video.range(contents, $0.number) },
            durations: plan.segments.map(\.duration)
        )
        if isForMaking, let rates = measuring.ratesOfShort { return rates }
        let rates = try measuring.rates()
        measured.withLock { $0.pictures[limits] = rates }
        return rates
    }

    private func reader(_ contents: Contents, _ cancellation: Cancellation) -> PacketReader {
        PacketReader(file: identity.path, index: contents.index, pool: pool, cancellation: cancellation)
    }
}
