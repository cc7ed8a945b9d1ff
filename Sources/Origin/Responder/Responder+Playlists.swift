import HLS
import Media
import Notation
import Packager
import Timeline

extension Responder {
    /// What a playlist's query asks for.
    struct PlaylistQuery {
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
        /// The stream of subtitles that is asked for; nil for a rendition of picture and sound.
        var subtitles: Int?
        /// The tag of a file of subtitles beside the item; nil for anything in the item.
        var side: String?
        /// Whether a multivariant playlist is to have lower bit rates.
        var hasLadder: Bool
        var hasSoundApart: Bool
        /// Whether cover art is not to stand for a film.
        var leavesOutArtwork: Bool
        /// Whether segments are to be parts of one resource.
        var hasByteRanges: Bool

        init(_ query: Query, _ devices: Devices, userAgent: String?) throws(OriginFailure) {
            rendition = try Self.rendition(query)
            container = try query.choice("container", of: SegmentContainer.self)
            offset = try query.seconds("offset")
            subtitles = try query.integer("subtitles", in: 0...1_000_000)
            side = try query.text("side")
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
    }

    /// The type that HLS playlists are served under.
    private static let playlistType = "application/vnd.apple.mpegurl"

    /// `/items/ID/index.m3u8`.
    func mediaPlaylist(
        _ item: LibraryItem,
        _ query: Query,
        _ request: OriginRequest,
        _ cancellation: Cancellation
    ) throws -> OriginResponse {
        let query = try PlaylistQuery(query, devices, userAgent: request.header("User-Agent"))
        let presentation = try presentation(of: item, for: query.device, in: query.container, cancellation)
        let start = try query.offset.map { try Self.start($0, in: presentation.plan) }
        if let side = query.side {
            _ = try self.side(side, of: item)
            let container = query.container ?? presentation.preferredContainer(for: .full)
            let folder = Route.folder(tag: presentation.identity.tag, query.device, side: side, container)
            return Self.answer(Self.words(presentation, folder: folder, start: start).text, query)
        }
        if let stream = query.subtitles {
            let container = query.container ?? presentation.preferredContainer(for: .full)
            let folder = Route.folder(tag: presentation.identity.tag, query.device, subtitles: stream, container)
            let playlist = try Self.subtitles(presentation, stream, folder: folder, start: start)
            return Self.answer(playlist.text, query)
        }
        let rendition = query.rendition(of: presentation)
        let container = query.container ?? presentation.preferredContainer(for: rendition)
        let extent = try presentation.extent(of: rendition, in: container, cancellation: cancellation)
        let folder = Route.folder(tag: presentation.identity.tag, query.device, rendition, container)
        let layout =
            try query.hasByteRanges
            ? layout(
                SegmentStore.Key(
                    identity: presentation.identity,
                    device: query.device,
                    part: .layout(rendition, container)
                ),
                item,
                cancellation
            ) : nil
        let playlist = try Self.playlist(
            presentation,
            rendition,
            in: container,
            extent,
            folder: folder,
            start: start,
            layout
        )
        return Self.answer(playlist.text, query)
    }

    /// The playlist of a rendition's segments; all renditions have one target duration, that of the whole plan.
    private static func playlist(
        _ presentation: Presentation,
        _ rendition: Rendition,
        in container: SegmentContainer,
        _ extent: RenditionExtent,
        folder: String,
        start: PlaylistStart?,
        _ layout: WholeLayout?
    ) throws(PackagingError) -> MediaPlaylist {
        let whole = "\(folder)/\(container.wholeName)"
        let map =
            layout.map { $0.initRange.map { MediaMap(uri: whole, byteRange: ByteRange($0)) } }
            ?? (container == .fmp4 ? MediaMap(uri: "\(folder)/init.mp4") : nil)
        let ranges = layout.map { Dictionary(uniqueKeysWithValues: zip($0.numbers, $0.ranges)) } ?? [:]
        let segment = { (planned: PlannedSegment, duration: Rational, startsDiscontinuity: Bool) in
            MediaSegment(
                uri: layout == nil ? "\(folder)/\(planned.number).\(container.segmentExtension)" : whole,
                duration: duration,
                byteRange: ranges[planned.number].map { ByteRange($0) },
                startsDiscontinuity: startsDiscontinuity,
                map: map
            )
        }
        let planned = presentation.plan.segments
        let all = planned.map { segment($0, $0.duration, $0.startsDiscontinuity) }
        let target = MediaPlaylist.targetDuration(for: all)
        guard rendition.picture == .keyframes else {
            var listed = Array(all.prefix(extent.segmentCount))
            // Where it ends before the others, it says so (RFC 8216, 4.3.2.1: the duration of the segment).
            if let final = listed.indices.last { listed[final].duration = extent.end - planned[final].start }
            // So it does where pictures alone begin a little later; a wider gap stays, for all to have the same borders.
            let late = extent.lateStart
            if late > .zero, late < Rational(1, 2), let first = listed.first, first.duration > late {
                listed[0].duration = first.duration - late
            }
            return MediaPlaylist(
                segments: listed,
                targetDuration: target,
                isIndependent: extent.isIndependent,
                start: start
            )
        }
        var last = -1
        let pictures = try presentation.keyframes().map { picture in
            defer { last = picture.segment }
            let isBroken = planned[last + 1...picture.segment].contains(where: \.startsDiscontinuity)
            return segment(planned[picture.segment], picture.duration, isBroken)
        }
        return MediaPlaylist(
            segments: pictures,
            targetDuration: max(target, MediaPlaylist.targetDuration(for: pictures)),
            isIndependent: true,
            isIFramesOnly: true,
            start: start
        )
    }

    /// The playlist of a stream of subtitles: one segment for each of the plan, whether it has text in it or not.
    private static func subtitles(
        _ presentation: Presentation,
        _ stream: Int,
        folder: String,
        start: PlaylistStart?
    ) throws(OriginFailure) -> MediaPlaylist {
        guard presentation.subtitles.contains(where: { $0.index == stream }) else {
            let reason = presentation.refusedSubtitles[stream] ?? "there are no subtitles in stream \(stream)"
            throw .unservable("noSubtitles", reason)
        }
        return words(presentation, folder: folder, start: start)
    }

    /// The playlist of segments of WebVTT.
    private static func words(_ presentation: Presentation, folder: String, start: PlaylistStart?) -> MediaPlaylist {
        MediaPlaylist(
            segments: presentation.plan.segments.map { segment in
                MediaSegment(
                    uri: "\(folder)/\(segment.number).vtt",
                    duration: segment.duration,
                    startsDiscontinuity: segment.startsDiscontinuity
                )
            },
            isIndependent: true,
            start: start
        )
    }

    /// `/items/ID/master.m3u8`: all that there is to choose from, described truly.
    func multivariantPlaylist(
        _ item: LibraryItem,
        _ query: Query,
        _ request: OriginRequest,
        _ cancellation: Cancellation
    ) throws -> OriginResponse {
        let query = try PlaylistQuery(query, devices, userAgent: request.header("User-Agent"))
        guard Rendition.principal.contains(query.rendition) else {
            throw OriginFailure.badQuery("rendition", "a multivariant playlist has all of them; ask for index.m3u8")
        }
        let presentation = try presentation(of: item, for: query.device, in: query.container, cancellation)
        let rendition = query.rendition(of: presentation)
        let container = query.container ?? presentation.preferredContainer(for: rendition)
        if let offset = query.offset { _ = try Self.start(offset, in: presentation.plan) }
        let playlist = try MultivariantBuilder(
            presentation: presentation,
            rendition: rendition,
            hasLadder: query.hasLadder,
            hasSoundApart: query.hasSoundApart,
            container: container,
            uri: { query.uri(of: $0, in: container) },
            subtitlesURI: { query.uri(ofSubtitles: "subtitles=\($0)", in: container) },
            sides: SideSubtitles.beside(item, in: library).map {
                ($0, query.uri(ofSubtitles: "side=\($0.tag)", in: container))
            },
            cancellation: cancellation
        ).playlist()
        return Self.answer(playlist.text, query)
    }

    private static func answer(_ text: String, _ query: PlaylistQuery) -> OriginResponse {
        var answer = OriginResponse.bytes(Array(text.utf8), playlistType, freshness: .revalidated)
        if query.isHinted { answer.headers.append(("Vary", "User-Agent")) }
        return answer
    }

    /// The device that a path names; none stands for any player.
    func device(ofPath name: String?) throws(OriginFailure) -> DeviceProfile {
        guard let name else { return .any }
        do {
            return try devices.named(name)
        } catch {
            throw .notFound("device \(error)")
        }
    }

    /// What of a rendition a request is about, for the observer.
    func piece(_ part: Route.Part, _ query: Query) -> OriginExchange.Piece? {
        switch part {
        case .mediaPlaylist:
            (try? PlaylistQuery(query, devices, userAgent: nil)).flatMap {
                $0.subtitles == nil && $0.side == nil ? .playlist($0.rendition) : nil
            }
        case .initSegment(_, _, let rendition): .initSegment(rendition, .fmp4)
        case .segment(_, _, let number, let rendition, let container): .segment(number, rendition, container)
        case .multivariantPlaylist, .whole, .subtitles, .side, .original, .artwork: nil
        }
    }

    /// Where to begin, on the plan's timeline.
    ///
    /// An offset up to a second past the end means the end: clients round.
    private static func start(_ offset: Rational, in plan: SegmentPlan) throws(OriginFailure) -> PlaylistStart {
        guard offset <= plan.duration + Rational(1) else {
            throw .badQuery("offset", "the item is \(decimal(plan.duration)) seconds long")
        }
        return PlaylistStart(timeOffset: min(offset, plan.duration), isPrecise: true)
    }

    /// A time with at most nine digits after the point.
    fileprivate static func decimal(_ time: Rational) -> String {
        DecimalText.short(units: time.rounded(scale: 1_000_000_000), places: 9)
    }
}

extension Responder.PlaylistQuery {
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

    /// The URI of a rendition's playlist, relative to the multivariant playlist, with what else was asked for.
    func uri(of rendition: Rendition, in container: SegmentContainer) -> String {
        var uri = "index.m3u8?container=\(container.rawValue)"
        if device != .any { uri += "&device=\(device.name)" }
        switch rendition {
        case .full: break
        case .background: uri += "&background=1"
        default: uri += "&rendition=\(rendition.rawValue)"
        }
        if leavesOutArtwork { uri += "&artwork=0" }
        if hasByteRanges { uri += "&byterange=1" }
        if let offset { uri += "&offset=\(Responder.decimal(offset))" }
        return uri
    }

    /// The URI of the playlist of subtitles that a parameter names, relative to the multivariant playlist.
    func uri(ofSubtitles parameter: String, in container: SegmentContainer) -> String {
        var uri = "index.m3u8?container=\(container.rawValue)"
        if device != .any { uri += "&device=\(device.name)" }
        uri += "&\(parameter)"
        if let offset { uri += "&offset=\(Responder.decimal(offset))" }
        return uri
    }

    /// The rendition that is asked for: of music without its cover art, the sound alone.
    func rendition(of presentation: Presentation) -> Rendition {
        rendition == .full && leavesOutArtwork && presentation.artworkStream != nil ? .background : rendition
    }
}

extension ByteRange {
    /// A range of a resource's bytes.
    fileprivate init(_ range: Range<Int64>) { self.init(offset: range.lowerBound, length: Int64(range.count)) }
}
