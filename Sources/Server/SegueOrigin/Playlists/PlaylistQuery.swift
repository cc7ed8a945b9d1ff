import SegueBase
import SeguePackager

/// What a playlist's query asks for: read from a request, and written into the playlists that name other playlists.
struct PlaylistQuery: Sendable {
    /// Picture and sound, sound alone, or one that a multivariant playlist names.
    var rendition: Rendition
    /// The container; nil for the one that fits best.
    var container: SegmentContainer?
    /// The device; the one that the User-Agent hints at where none is named.
    var device: DeviceProfile
    /// Whether no device is named, so that the answer depends on the User-Agent.
    var isHinted: Bool
    /// Where to begin; nil for the beginning.
    var offset: Rational?
    /// The subtitles that are asked for; nil for a rendition of picture and sound.
    var subtitles: SubtitlesSource?
    /// Whether a multivariant playlist is to have lower bit rates.
    var hasLadder: Bool
    /// Whether the sound is to be a rendition of its own even where it is the only one.
    var hasSoundApart: Bool
    /// Whether cover art is not to stand for a film.
    var leavesOutArtwork: Bool
    /// Whether segments are to be parts of one resource.
    var hasByteRanges: Bool

    /// Reads a query.
    ///
    /// - Throws: ``OriginFailure`` with 400 naming the parameter.
    init(_ query: Query, _ devices: Devices, userAgent: String?) throws(OriginFailure) {
        rendition = try Self.rendition(query)
        container = try query.choice("container", of: SegmentContainer.self)
        offset = try query.seconds("offset")
        let stream = try query.integer("subtitles", in: 0...1_000_000)
        subtitles = try query.text("side").map { .side(tag: $0) } ?? stream.map { .stream($0) }
        hasLadder = try query.flag("ladder")
        hasSoundApart = try query.flag("apart")
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

    /// What `background` and `rendition` ask for.
    private static func rendition(_ query: Query) throws(OriginFailure) -> Rendition {
        let isBackground = try query.flag("background")
        guard let name = try query.text("rendition") else { return isBackground ? .background : .full }
        guard let rendition = Rendition(rawValue: name) else {
            throw .badQuery("rendition", "there is no rendition '\(name)'; master.m3u8 names those that there are")
        }
        guard !isBackground || rendition == .background else {
            throw .badQuery("rendition", "'\(name)' is not what background=1 asks for")
        }
        return rendition
    }

    /// The rendition that is asked for: of music without its cover art, the sound alone.
    func rendition(of presentation: any Presenting) -> Rendition {
        rendition == .full && leavesOutArtwork && presentation.artworkStream != nil ? .background : rendition
    }

    /// Where to begin, on the plan's timeline; nil for the beginning.
    ///
    /// An offset up to a second past the end means the end: clients round.
    ///
    /// - Throws: ``OriginFailure`` with 400 for one that is further.
    func start(in plan: SegmentPlan) throws(OriginFailure) -> Rational? {
        guard let offset else { return nil }
        guard offset <= plan.duration + Rational(1) else {
            throw .badQuery("offset", "the item is \(Self.decimal(plan.duration)) seconds long")
        }
        return min(offset, plan.duration)
    }

    /// The URI of a rendition's playlist, relative to the multivariant playlist, with what else was asked for.
    func uri(of rendition: Rendition, in container: SegmentContainer) -> String {
        var wishes =
            switch rendition {
            case .full: ""
            case .background: "&background=1"
            default: "&rendition=\(rendition.rawValue)"
            }
        if leavesOutArtwork { wishes += "&artwork=0" }
        if hasByteRanges { wishes += "&byterange=1" }
        return uri(wishes, in: container)
    }

    /// The URI of the playlist of subtitles, relative to the multivariant playlist.
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

    /// A time with at most nine digits after the point.
    private static func decimal(_ time: Rational) -> String {
        DecimalText.short(units: time.rounded(scale: 1_000_000_000), places: 9)
    }
}
