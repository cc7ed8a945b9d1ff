import SegueBase
import SegueFFmpeg
import SeguePackager

/// The query of a playlist: parsed from a request, and formatted into URIs of other playlists.
struct PlaylistQuery: Sendable {
    /// The requested rendition.
    var rendition: Rendition
    /// The container; nil for the one that fits best.
    var container: SegmentContainer?
    /// The device; without such a parameter, the one that the User-Agent implies.
    var device: DeviceProfile
    /// True if the response depends on the User-Agent.
    var isHinted: Bool
    /// The start time; nil for the beginning.
    var offset: Rational?
    /// The requested subtitles; nil for a rendition of audio and video.
    var subtitles: SubtitlesSource?
    /// The bitmap subtitle stream to draw into the video; nil for none.
    var burned: Int?
    /// True for a multivariant playlist with lower bit rates.
    var hasLadder: Bool
    /// True for audio as a separate rendition even if it is the only one.
    var hasSeparateAudio: Bool
    /// True if cover art does not count as video.
    var leavesOutArtwork: Bool
    /// True for segments as byte ranges of one resource.
    var hasByteRanges: Bool

    /// Parses a query.
    ///
    /// - Throws: ``OriginFailure`` with 400 that names the parameter.
    init(_ query: Query, _ devices: Devices, userAgent: String?) throws(OriginFailure) {
        rendition = try Self.rendition(query)
        container = try query.choice("container", of: SegmentContainer.self)
        offset = try query.seconds("offset")
        let stream = try query.integer("subtitles", in: 0...1_000_000)
        subtitles = try query.text("side").map { .side(tag: $0) } ?? stream.map { .stream($0) }
        burned = try query.integer("burn", in: 0...1_000_000)
        hasLadder = try query.flag("ladder")
        hasSeparateAudio = try query.flag("apart")
        hasByteRanges = try query.flag("byterange")
        let isWanted = try query.flag("artwork")
        let isSaid = try query.text("artwork") != nil
        leavesOutArtwork = isSaid && !isWanted
        let named = try query.device(devices)
        isHinted = named == nil
        device = named ?? devices.hinted(byUserAgent: userAgent)
        if let container, !device.containers.contains(container) {
            let taken = device.containers.map(\.rawValue).joined(separator: " and ")
            throw .badQuery("container", "\(device.title) (device \(device.name)) takes \(taken) only")
        }
    }

    /// The rendition of the parameters `background` and `rendition`.
    private static func rendition(_ query: Query) throws(OriginFailure) -> Rendition {
        let isBackground = try query.flag("background")
        guard let name = try query.text("rendition") else { return isBackground ? .background : .full }
        guard let rendition = Rendition(rawValue: name) else {
            throw .badQuery("rendition", "there is no rendition '\(name)'; master.m3u8 lists the renditions")
        }
        guard !isBackground || rendition == .background else {
            throw .badQuery("rendition", "'\(name)' contradicts background=1")
        }
        return rendition
    }

    /// The requested rendition: for music without its cover art, the audio alone.
    ///
    /// - Throws: ``OriginFailure`` with 422 for subtitles that cannot be drawn into the video.
    func rendition(of presentation: any Presenting) throws(OriginFailure) -> Rendition {
        if rendition == .full, leavesOutArtwork, presentation.artworkStream != nil { return .background }
        let rendition = burned == nil ? rendition : rendition.burning(burned)
        guard let stream = rendition.burned,
            !presentation.burnableSubtitles.contains(where: { $0.index == stream })
        else { return rendition }
        throw .unservable("noSubtitles", "stream \(stream) has no bitmap subtitles that can be drawn into the video")
    }

    /// The start time on the plan's timeline; nil for the beginning.
    ///
    /// An offset up to one second past the end means the end, since clients round.
    ///
    /// - Throws: ``OriginFailure`` with 400 for a later offset.
    func start(in plan: SegmentPlan) throws(OriginFailure) -> Rational? {
        guard let offset else { return nil }
        guard offset <= plan.duration + Rational(1) else {
            throw .badQuery(
                "offset",
                "the offset is after the end of the item, which is \(Self.decimal(plan.duration)) s long"
            )
        }
        return min(offset, plan.duration)
    }

    /// The URI of a rendition's playlist with the other parameters, relative to the multivariant playlist.
    func uri(of rendition: Rendition, in container: SegmentContainer) -> String {
        var wishes =
            switch rendition.burning(nil) {
            case .full: ""
            case .background: "&background=1"
            case let base: "&rendition=\(base.rawValue)"
            }
        if let stream = rendition.burned { wishes += "&burn=\(stream)" }
        if leavesOutArtwork { wishes += "&artwork=0" }
        if hasByteRanges { wishes += "&byterange=1" }
        return uri(wishes, in: container)
    }

    /// The URI of a subtitle playlist, relative to the multivariant playlist.
    func uri(of subtitles: SubtitlesSource, in container: SegmentContainer) -> String {
        switch subtitles {
        case .stream(let stream): uri("&subtitles=\(stream)", in: container)
        case .side(let tag): uri("&side=\(tag)", in: container)
        }
    }

    private func uri(_ wishes: String, in container: SegmentContainer) -> String {
        let device = device == .any ? "" : "&device=\(device.name)"
        let start = offset.map { "&offset=\(Self.decimal($0))" } ?? ""
        return "index.m3u8?container=\(container.rawValue)\(device)\(wishes)\(start)"
    }

    /// The time with at most nine decimal places.
    private static func decimal(_ time: Rational) -> String {
        DecimalText.short(units: time.rounded(scale: 1_000_000_000), places: 9)
    }
}
