internal import SegueFetch
internal import SeguePlaylists

/// The properties of a stream's media, found by inspection.
struct StreamContent: Sendable {
    let role: StreamRole

    /// The tracks; nil before the first segment.
    private(set) var tracks: ItemTracks?

    /// True if the tracks are those of another variant, until the next segment.
    private var areTracksFormer = false

    /// True if an incomplete segment can be played.
    private(set) var playsByBytes = false

    /// True if the last segment was a transport stream.
    private(set) var isTransportStream = false

    /// The number of bytes of the first segment at which it is inspected again.
    private var glimpsesAt = StreamContent.leastGlimpse

    /// The minimum number of bytes for an inspection.
    private static let leastGlimpse = 4 << 10

    /// The stretches of the last segment without audio, without video, or with other timestamps.
    private(set) var faults: [SegmentFaults.Stretch] = []
    private var segmentFaults = SegmentFaults()

    /// The last initialization section.
    private var map: (address: MapAddress, holds: SegmentInspection)?

    init(role: StreamRole) { self.role = role }

    /// Returns whether an initialization section is the last one.
    func has(_ address: MapAddress) -> Bool { map?.address == address }

    /// Handles a change of variant.
    mutating func change() {
        map = nil
        areTracksFormer = true
        (playsByBytes, glimpsesAt) = (false, StreamContent.leastGlimpse)
    }

    /// Decrypts and inspects an initialization section, and returns the decrypted bytes.
    ///
    /// - Throws: ``PlaybackError`` if it cannot be read.
    mutating func openInitialization(
        at address: MapAddress,
        key: SegmentKey?,
        of received: ReceivedMedia,
        _ means: MediaOpening
    ) throws(PlaybackError) -> FetchBytes {
        let url = received.transfer.url
        let bytes = try means.keyring.open(received.bytes, with: key, from: url)
        map = (address, try inspect(bytes, initialization: nil, url: url))
        return bytes
    }

    /// Decrypts and inspects a segment, and returns the decrypted bytes.
    ///
    /// - Throws: ``PlaybackError`` if it cannot be decrypted, or contains other media than expected.
    mutating func openSegment(
        _ slot: SegmentTimeline.Slot,
        isLast: Bool = false,
        of received: ReceivedMedia,
        _ means: MediaOpening
    ) throws(PlaybackError) -> FetchBytes {
        let url = received.transfer.url
        let bytes = try means.keyring.open(received.bytes, with: slot.key, from: url)
        let initialization = slot.map.flatMap { $0 == map?.address ? map?.holds : nil }
        let holds = try inspect(
            bytes,
            initialization: initialization,
            areSamplesEncrypted: slot.key?.method == .samples,
            url: url
        )
        isTransportStream = holds.layout == .transportStream
        // Subtitles may be empty for a while.
        guard role == .subtitles || holds.hasMedia && holds.layout != .mp4 else {
            let what = holds.hasMedia ? "is a complete MP4 file, not a fragment" : "contains no media"
            throw PlaybackError(.media, code: 1, "the segment \(what): \(url)")
        }
        try means.announced.check(holds, url: url)
        let seen = ItemTracks(holds).union(initialization.map(ItemTracks.init) ?? ItemTracks(holds))
        tracks = areTracksFormer ? seen : tracks?.union(seen) ?? seen
        areTracksFormer = false
        faults = []
        if role != .subtitles, !slot.isPart, let tracks {
            faults = segmentFaults.stretches(in: slot, holds, tracks: tracks, isLast: isLast)
        }
        return bytes
    }

    /// Inspects an incomplete segment: whether it can be played, and its tracks, if they are unknown.
    ///
    /// A fragment contains the samples of one track after those of another, so with two tracks nothing can be played
    /// before both are complete. A transport stream interleaves them. Encrypted media are decrypted when they are
    /// complete.
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
            throw PlaybackError(.media, code: 1, "\(error): \(url)")
        }
        let isText = holds.layout == .webVTT
        guard isText == (role == .subtitles) || holds.layout == .fragmentedMP4 else {
            let what = isText ? "subtitles, not media" : "media, not subtitles"
            throw PlaybackError(.media, code: 1, "the segment contains \(what): \(url)")
        }
        guard areSamplesEncrypted || !holds.tracks.contains(where: \.isEncrypted) else {
            throw PlaybackError(.encrypted, "the media is encrypted, but the playlist has no key: \(url)")
        }
        return holds
    }
}

extension ItemTracks {
    fileprivate init(_ inspection: SegmentInspection) {
        self.init(hasVideo: inspection.hasVideo, hasAudio: inspection.hasAudio)
    }
}
