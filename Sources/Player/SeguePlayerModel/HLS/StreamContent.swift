internal import SegueFetch
internal import SeguePlaylists

/// What a stream's media were seen to have.
struct StreamContent: Sendable {
    let role: StreamRole

    /// What they have; nil until a segment was seen.
    private(set) var tracks: ItemTracks?

    /// Whether these tracks are those of another variant, which the next segment makes known anew.
    private var areTracksFormer = false

    /// Whether what has come of a segment can be played before it is whole.
    private(set) var playsByBytes = false

    /// Whether the last segment was a transport stream.
    private(set) var isTransportStream = false

    /// How many bytes of the first segment there have to be until it is looked at again.
    private var glimpsesAt = StreamContent.leastGlimpse

    /// So few bytes of a segment may say nothing of what is in it.
    private static let leastGlimpse = 4 << 10

    /// The initialization section that was seen last.
    private var map: (address: MapAddress, holds: SegmentInspection)?

    init(role: StreamRole) { self.role = role }

    /// Whether an initialization section is the one that was seen last.
    func has(_ address: MapAddress) -> Bool { map?.address == address }

    /// Another variant's media come from now on.
    mutating func change() {
        map = nil
        areTracksFormer = true
        (playsByBytes, glimpsesAt) = (false, StreamContent.leastGlimpse)
    }

    /// Opens an initialization section and looks into it.
    ///
    /// - Returns: Its bytes, decrypted.
    /// - Throws: ``PlaybackError`` when it cannot be read.
    mutating func take(
        _ received: FetchBytes,
        of address: MapAddress,
        _ key: SegmentKey?,
        _ keyring: Keyring,
        url: String
    ) throws(PlaybackError) -> FetchBytes {
        let bytes = try keyring.open(received, with: key, from: url)
        map = (address, try inspect(bytes, initialization: nil, url: url))
        return bytes
    }

    /// Opens a segment and looks into it.
    ///
    /// - Returns: Its bytes, decrypted.
    /// - Throws: ``PlaybackError`` when it cannot be opened, or holds what it should not.
    mutating func see(
        _ slot: SegmentTimeline.Slot,
        _ received: FetchBytes,
        _ announced: AnnouncedCodecs,
        _ keyring: Keyring,
        url: String
    ) throws(PlaybackError) -> FetchBytes {
        let bytes = try keyring.open(received, with: slot.key, from: url)
        let initialization = slot.map.flatMap { $0 == map?.address ? map?.holds : nil }
        let holds = try inspect(
            bytes,
            initialization: initialization,
            areSamplesEncrypted: slot.key?.method == .samples,
            url: url
        )
        isTransportStream = holds.layout == .transportStream
        // Subtitles may have nothing to say for a while.
        guard role == .subtitles || holds.hasMedia && holds.layout != .mp4 else {
            let what = holds.hasMedia ? "is a whole MP4 file, no fragment of one" : "holds no media"
            throw PlaybackError(.media, 1, "the segment \(what): \(url)")
        }
        try announced.check(holds, url: url)
        let seen = ItemTracks(holds).union(initialization.map(ItemTracks.init) ?? ItemTracks(holds))
        tracks = areTracksFormer ? seen : tracks?.union(seen) ?? seen
        areTracksFormer = false
        return bytes
    }

    /// Looks at what has come of a segment: whether it can be played as it is, and what is in it where that is not known.
    ///
    /// A fragment has the samples of one track after those of another, so that of two nothing can be played before both
    /// are there; a transport stream has them mixed. What is encrypted is opened when it is whole.
    mutating func glimpse(_ slot: SegmentTimeline.Slot, of bytes: FetchBytes) {
        guard slot.key == nil, role != .subtitles else {
            playsByBytes = false
            return
        }
        if let address = slot.map {
            guard let holds = map?.holds, map?.address == address else { return }
            playsByBytes = !(holds.hasVideo && holds.hasAudio)
            if tracks == nil, playsByBytes { tracks = ItemTracks(holds) }
            return
        }
        guard !playsByBytes, bytes.count >= glimpsesAt else { return }
        glimpsesAt = bytes.count * 2
        guard let holds = try? SegmentInspector.inspect(bytes.bytes), holds.hasMedia,
            [.transportStream, .packedAudio].contains(holds.layout)
        else { return }
        playsByBytes = true
        if tracks == nil { tracks = ItemTracks(holds) }
    }

    private func inspect(
        _ bytes: FetchBytes,
        initialization: SegmentInspection?,
        areSamplesEncrypted: Bool = true,
        url: String
    ) throws(PlaybackError) -> SegmentInspection {
        let holds: SegmentInspection
        do {
            holds = try bytes.inspection(with: initialization)
        } catch {
            throw PlaybackError(.media, 1, "\(error): \(url)")
        }
        let isText = holds.layout == .webVTT
        guard isText == (role == .subtitles) || holds.layout == .fragmentedMP4 else {
            throw PlaybackError(.media, 1, "\(isText ? "subtitles" : "media") where others belong: \(url)")
        }
        guard areSamplesEncrypted || !holds.tracks.contains(where: \.isEncrypted) else {
            throw PlaybackError(.encrypted, "the media are encrypted and the playlist has no key: \(url)")
        }
        return holds
    }
}

extension ItemTracks {
    fileprivate init(_ inspection: SegmentInspection) {
        self.init(hasVideo: inspection.hasVideo, hasAudio: inspection.hasAudio)
    }
}
