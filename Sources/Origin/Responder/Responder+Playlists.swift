import HLS
import Media
import Packager
import Timeline

extension Responder {
    /// What a playlist's query asks for.
    struct PlaylistQuery {
        /// Picture and sound, or sound alone.
        var rendition: Rendition
        /// The container; nil for the one that fits best.
        var container: SegmentContainer?
        /// The device; the one that the User-Agent hints at where none is named.
        var device: DeviceProfile
        /// Whether no device is named, so that the answer depends on the User-Agent.
        var isHinted: Bool
        /// Where to begin; nil for the beginning.
        var offset: Rational?

        init(_ query: Query, _ devices: Devices, userAgent: String?) throws(OriginFailure) {
            rendition = try query.flag("background") ? .background : .full
            container = try query.choice("container", of: SegmentContainer.self)
            offset = try query.seconds("offset")
            // There is no rendition with artwork to switch off.
            _ = try query.flag("artwork")
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
        let container = query.container ?? presentation.preferredContainer(for: query.rendition)
        let description = try presentation.rendition(query.rendition, in: container)
        let folder = Route.folder(tag: presentation.identity.tag, query.device, query.rendition, container)
        let map = container == .fmp4 ? MediaMap(uri: "\(folder)/init.mp4") : nil
        let playlist = MediaPlaylist(
            segments: presentation.plan.segments.prefix(description.segmentCount).map { segment in
                MediaSegment(
                    uri: "\(folder)/\(segment.number).\(container.segmentExtension)",
                    duration: segment.duration,
                    startsDiscontinuity: segment.startsDiscontinuity,
                    map: map
                )
            },
            isIndependent: description.isIndependent,
            start: try query.offset.map { try Self.start($0, in: presentation.plan) }
        )
        return Self.playlist(playlist.text, query)
    }

    /// `/items/ID/master.m3u8`: the one variant that there is, described truly.
    func multivariantPlaylist(
        _ item: LibraryItem,
        _ query: Query,
        _ request: OriginRequest,
        _ cancellation: Cancellation
    ) throws -> OriginResponse {
        let query = try PlaylistQuery(query, devices, userAgent: request.header("User-Agent"))
        let presentation = try presentation(of: item, for: query.device, in: query.container, cancellation)
        let container = query.container ?? presentation.preferredContainer(for: query.rendition)
        let description = try presentation.rendition(query.rendition, in: container)
        let video = description.tracks.first { $0.kind == .video }
        var uri = "index.m3u8?container=\(container.rawValue)"
        if query.device != .any { uri += "&device=\(query.device.name)" }
        if query.rendition == .background { uri += "&background=1" }
        if let offset = query.offset {
            _ = try Self.start(offset, in: presentation.plan)
            uri += "&offset=\(Self.decimal(offset))"
        }
        let variant = Variant(
            uri: uri,
            bandwidth: description.peakBandwidth,
            averageBandwidth: description.averageBandwidth,
            codecs: description.codecs,
            resolution: video.map { Resolution(width: $0.width, height: $0.height) },
            frameRate: video?.frameRate
        )
        let playlist = MultivariantPlaylist(variants: [variant], isIndependent: description.isIndependent)
        return Self.playlist(playlist.text, query)
    }

    private static func playlist(_ text: String, _ query: PlaylistQuery) -> OriginResponse {
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
        case .mediaPlaylist: (try? PlaylistQuery(query, devices, userAgent: nil)).map { .playlist($0.rendition) }
        case .initSegment(_, _, let rendition): .initSegment(rendition, .fmp4)
        case .segment(_, _, let number, let rendition, let container): .segment(number, rendition, container)
        case .multivariantPlaylist, .original, .artwork: nil
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
    private static func decimal(_ time: Rational) -> String {
        let nanoseconds = time.rounded(scale: 1_000_000_000)
        var fraction = String(nanoseconds % 1_000_000_000)
        fraction = String(repeating: "0", count: 9 - fraction.count) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        let whole = String(nanoseconds / 1_000_000_000)
        return fraction.isEmpty ? whole : "\(whole).\(fraction)"
    }
}
