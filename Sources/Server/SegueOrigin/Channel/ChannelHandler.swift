import HTTPTypes
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SeguePlaylists

/// The handler of `/channel/…`: the titles of a folder as a continuous low-latency live stream.
struct ChannelHandler: Sendable {
    let channels: Channels
    let opener: ItemOpener
    let maker: SegmentMaker
    let ahead: SegmentPrefetcher
    /// The clock, in milliseconds since 1970.
    let now: @Sendable () -> Int64

    func respond(_ asked: ResourceRequest, _ place: ChannelPlace) throws(OriginFailure) -> OriginResponse {
        let folder = try asked.query.text("folder") ?? ""
        let time = ChannelTime(milliseconds: now())
        do {
            let station = try channels.station(of: folder, for: asked.request.visitor, at: time, asked.cancellation)
            let names = ChannelNames(station: station, folder: folder)
            switch place {
            case .multivariantPlaylist:
                let variants = ChannelVariants(channels: channels, station: station, opener: opener, names: names)
                let playlist = try variants.playlist(asked.cancellation)
                return try OriginResponse.bytes(Array(playlist.text.utf8), Self.playlistType, freshness: .revalidated)
                    .document(asked.request)
            case .mediaPlaylist:
                return try playlist(asked, of: ChannelWindow(station.programme, at: time), names: names)
            case .piece(let place):
                return try piece(place, of: station, ChannelWindow(station.programme, at: time), for: asked)
            }
        } catch let failure as OriginFailure {
            throw failure
        } catch {
            throw OriginFailure(status: 500, code: "internal", message: "channel: \(error)")
        }
    }

    private static let playlistType = "application/vnd.apple.mpegurl"

    // MARK: Playlists

    private func playlist(
        _ asked: ResourceRequest,
        of window: ChannelWindow,
        names: ChannelNames
    ) throws(OriginFailure) -> OriginResponse {
        let directives = try asked.query.directives
        let rendition: Rendition = try asked.query.flag("background") ? .background : .full
        guard names.offers(rendition) else {
            throw .unservable("noSound", "no title has audio that can be played without video")
        }
        switch window.availability(directives) {
        case .there: break
        case .later(let time): return .held(until: time)
        case .no:
            throw .badQuery("_HLS_msn", "the segment is in the future; the last segment is \(window.last.sequence)")
        case .tooLong: throw .tooLongToWait
        }
        if asked.request.method == "GET" { makeAhead(window, of: names.station, rendition: rendition) }
        let playlist = ChannelPlaylist(window, of: names.rendition(rendition)).playlist(skipping: directives.skip)
        var response = OriginResponse.bytes(Array(playlist.text.utf8), Self.playlistType, freshness: .revalidated)
        // RFC 8216bis, B.1: the response to a blocking reload never changes; any other is stale after half a target
        // duration.
        let target = window.programme.targetDuration
        response.headers[.cacheControl] =
            "public, max-age=\(directives.sequence == nil ? max(1, target / 2) : 6 * target)"
        response.headers[.priority] = "u=1"
        return try response.document(asked.request)
    }

    /// Prefetches the next segment if it has to be encoded.
    private func makeAhead(_ window: ChannelWindow, of station: Channels.Station, rendition: Rendition) {
        guard ahead.count > 0 else { return }
        let open = window.open.place.sequence
        for entry in [open, open + 1].compactMap(window.programme.entry(sequence:)) {
            guard let (_, title) = station.title(of: entry), !title.isGap(entry.place.number, of: rendition) else {
                continue
            }
            let delivered = title.delivered(rendition)
            // A request for a piece opens the file.
            guard let held = maker.held(delivered), held.isEncoded(rendition, cancellation: Cancellation()) else {
                continue
            }
            let parts = window.programme.parts(of: entry)
            let segment = DeliveredSegment(entry.place.number, of: delivered)
            guard !maker.store.holds(.chunks(segment, parts: parts.map(\.microseconds))) else { continue }
            ahead.expect([segment], for: SegmentPrefetcher.Viewer(nil, of: delivered)) {
                [maker] segment, cancellation in
                // A request for the segment reports the error.
                _ = try? maker.chunks(segment, parts, cancellation: cancellation, isAhead: true)
            }
        }
    }

    // MARK: Pieces

    private func piece(
        _ place: ChannelPlace.Piece,
        of station: Channels.Station,
        _ window: ChannelWindow,
        for asked: ResourceRequest
    ) throws(OriginFailure) -> OriginResponse {
        guard let entry = window.programme.entry(sequence: place.sequence),
            window.programme.eras[entry.era].name == place.lineup, let (item, title) = station.title(of: entry)
        else { throw .notFound("the channel has no such segment; reload its playlist") }
        guard !title.isGap(entry.place.number, of: place.rendition) else {
            throw .notFound("\(item.path): this segment has no audio and is marked as a gap in the playlist")
        }
        switch window.availability(ofPart: place.part, of: entry) {
        case .there: break
        case .later(let time): return .held(until: time)
        case .no, .tooLong: throw .notFound("the segment is not available yet, or not any more")
        }
        do {
            guard try opener.version(of: item) == title.identity else {
                throw OriginFailure.notFound("\(item.path): the file has changed since the channel was composed")
            }
            let segment = DeliveredSegment(entry.place.number, of: title.delivered(place.rendition))
            let parts = window.programme.parts(of: entry)
            var response = try piece(segment, of: parts, part: place.part, asked.cancellation)
            let life = ChannelWindow.availability(of: window.programme) / 1_000_000
            response.headers[.cacheControl] = "public, max-age=\(life), immutable"
            response.headers[.priority] = "u=3"
            return try response.conditional(asked.request).ranged(asked.request)
        } catch {
            throw OriginFailure(error, item: item)
        }
    }

    private func piece(
        _ segment: DeliveredSegment,
        of parts: [ChannelPart],
        part: Int?,
        _ cancellation: Cancellation
    ) throws -> OriginResponse {
        let kept = try ahead.demand(segment) { try maker.chunks(segment, parts, cancellation: cancellation) }
        let type = segment.delivered.contentType
        guard let part else {
            return .found(kept, type, freshness: .immutable) { [maker] in
                try maker.chunks(segment, parts, cancellation: $0)
            }
        }
        guard let bytes = kept.read(0..<kept.count) else { throw OriginFailure.overloaded }
        guard let range = ChunkedSegment(bytes: bytes)?.range(ofPart: part) else {
            throw PackagingError(.broken, file: segment.delivered.identity.path, "a segment lacks one of its parts")
        }
        return .bytes(Array(bytes[range]), type, freshness: .immutable)
    }
}

extension OriginResponse {
    /// A blocking reload that is due at a time.
    fileprivate static func held(until time: ChannelTime) -> OriginResponse {
        var response = OriginFailure.notThereYet.response
        response.blockedUntil = time.milliseconds
        return response
    }
}

extension OriginFailure {
    fileprivate static let notThereYet = OriginFailure.unavailable(
        "notThereYet",
        "the resource is not available yet"
    )

    fileprivate static let tooLongToWait = OriginFailure.unavailable(
        "tooLongToWait",
        "the resource will be available in more than three target durations, the maximum blocking time"
    )
}

extension Query {
    fileprivate var directives: DeliveryDirectives {
        get throws(OriginFailure) {
            let (sequence, part, skip) = (try text("_HLS_msn"), try text("_HLS_part"), try text("_HLS_skip"))
            do throws(DeliveryDirectives.Refusal) {
                return try DeliveryDirectives(sequence: sequence, part: part, skip: skip)
            } catch {
                throw .badQuery(error.name, error.message)
            }
        }
    }
}
