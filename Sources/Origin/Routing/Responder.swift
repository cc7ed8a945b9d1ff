package import HTTPHosts
package import Media
package import Packager

/// Answers requests with the very bytes that the server sends: all of the server but its sockets and its page.
///
/// It finds out which resource is asked for and hands the request to that resource's handler. It blocks while files are
/// opened and segments are made. Any number of threads may ask at once.
package final class Responder: Sendable {
    /// The files.
    package let library: Library
    /// Learns what is in them.
    package let learner: LibraryLearner
    /// The hosts under which it may be asked; nil for any.
    private let hosts: AllowedHosts?
    private let observer: (@Sendable (OriginExchange) -> Void)?
    private let metrics = Metrics()

    let opener: ItemOpener
    let maker: SegmentMaker
    let ahead: SegmentsAhead
    let stations = RadioStations()
    private let layouts: LayoutFinder
    private let finder: ItemFinder
    private let page: PageHandler

    /// A responder for a library.
    ///
    /// - Parameters:
    ///   - library: The files.
    ///   - devices: The devices that a request may name.
    ///   - hosts: The hosts under which it may be asked; nil for any.
    ///   - limits: How much is kept in memory.
    ///   - disk: Where more is kept.
    ///   - spool: Where bodies go that are being sent and have no room in memory.
    ///   - keeper: Keeps what opening files shows; nil for nobody.
    ///   - page: Makes the page for browsers; without one there is none.
    ///   - observer: Told of every exchange, on the thread that answered.
    package init(
        library: Library,
        devices: Devices = .none,
        hosts: AllowedHosts? = nil,
        limits: Limits = Limits(),
        disk: DiskCache? = nil,
        spool: Spool? = nil,
        keeper: (any IndexKeeping)? = nil,
        page: (any PageRendering)? = nil,
        observer: (@Sendable (OriginExchange) -> Void)? = nil
    ) {
        self.library = library
        self.hosts = hosts
        self.observer = observer
        let catalogue = Catalogue()
        let presentations = PresentationStore(
            limit: limits.presentations,
            keptCoding: limits.codedBytes,
            keeper: keeper
        )
        opener = ItemOpener(library: library, devices: devices, catalogue: catalogue, presentations: presentations)
        maker = SegmentMaker(
            presentations: presentations,
            store: SegmentStore(
                limit: limits.segmentBytes,
                disk: disk,
                spool: spool,
                sendingLimit: limits.sendingBytes
            )
        )
        layouts = LayoutFinder(maker: maker)
        ahead = SegmentsAhead(count: limits.ahead, threads: limits.encoders)
        finder = ItemFinder(library: library, catalogue: catalogue)
        self.page = PageHandler(finder: finder, renderer: page)
        learner = LibraryLearner(library: library, catalogue: catalogue, metrics: metrics)
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - cancellation: Stops the work; the answer is then a 503 that nobody reads.
    /// - Returns: The answer, errors included.
    package func respond(
        to request: OriginRequest,
        cancellation: Cancellation = Cancellation()
    ) -> OriginResponse {
        metrics.begin()
        var response: OriginResponse
        do throws(OriginFailure) {
            response = try answer(request, cancellation)
        } catch {
            response = error.response
        }
        response.headers += CrossOrigin.fields
        if request.method == "HEAD" { response.body = .empty }
        metrics.end(response)
        observer?(OriginExchange(request: request, response: response))
        return response
    }

    /// The very presentation from which an item is delivered to a device, opened where it is not open.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - device: Whom it is for.
    ///   - cancellation: Stops the opening.
    /// - Returns: The presentation, in the container that fits best.
    /// - Throws: ``PackagingError`` when nothing of it can be served.
    package func presentation(
        of item: LibraryItem,
        for device: DeviceProfile,
        cancellation: Cancellation
    ) throws(PackagingError) -> Presentation {
        do {
            return try opener.presentations.presentation(
                of: FileIdentity(ofFileAt: item.filePath),
                for: device,
                cancellation: cancellation
            )
        } catch {
            throw PackagingError.wrapping(error, file: item.filePath)
        }
    }

    /// Whether something is being made that nobody has asked for yet, but soon may.
    package var isMakingAhead: Bool { ahead.isBusy }

    /// Has something called each time that there is no room for bytes that are being sent, on the thread that found so.
    ///
    /// From then on no more is made at once than there is little memory for, until ``endShortage()``.
    package func whenShort(_ action: @escaping @Sendable () -> Void) { maker.store.making.whenShort(action) }

    /// Says that there is room again, as far as is known.
    package func endShortage() { maker.store.making.endShortage() }

    /// Lets go of most of what is held in memory, when many of those have gone for whom it was held; may block.
    package func shrink() { maker.store.shrink() }

    /// Ends what goes on without a request, and closes the library.
    package func close() {
        stations.stop()
        library.close()
    }

    private func answer(
        _ request: OriginRequest,
        _ cancellation: Cancellation
    ) throws(OriginFailure) -> OriginResponse {
        if let hosts, !hosts.allows(request.header("Host")) { throw .foreignHost(request.header("Host") ?? "") }
        guard ["GET", "HEAD", "OPTIONS"].contains(request.method) else {
            throw OriginFailure(
                status: 405,
                code: "methodNotAllowed",
                message: "only \(CrossOrigin.methods) are answered here",
                headers: [("Allow", CrossOrigin.methods)]
            )
        }
        let target = try RequestTarget(request.target)
        guard let route = Route(target.components) else { throw .notFound("there is nothing under this path") }
        if request.method == "OPTIONS" { return CrossOrigin.options }
        let asked = ResourceRequest(request: request, query: target.query, cancellation: cancellation)
        switch route {
        case .page: return try page.answer(asked)
        case .items: return try ItemListHandler(finder: finder).answer(asked)
        case .item(let id): return try ItemDetailsHandler(opener: opener).answer(asked, item(id))
        case .radio: return try RadioHandler(library: library, stations: stations).answer(asked)
        case .health: return .text("ok\n", "text/plain; charset=utf-8")
        case .metrics: return MetricsHandler(metrics: metrics, opener: opener, store: maker.store).answer()
        case .part(let part, let id):
            let item = try item(id)
            do {
                return try answer(asked, part, of: item)
            } catch {
                throw OriginFailure(error, item: item)
            }
        }
    }

    private func answer(_ asked: ResourceRequest, _ part: Route.Part, of item: LibraryItem) throws -> OriginResponse {
        switch part {
        case .multivariantPlaylist: try MultivariantPlaylistHandler(opener: opener).answer(asked, item)
        case .mediaPlaylist: try MediaPlaylistHandler(opener: opener, layouts: layouts).answer(asked, item)
        case .piece(let address): try answer(asked, address, of: item)
        case .original: try OriginalHandler(opener: opener).answer(asked, item)
        case .artwork: try ArtworkHandler(opener: opener, store: maker.store).answer(asked, item)
        }
    }

    private func answer(
        _ asked: ResourceRequest,
        _ address: SegmentAddress,
        of item: LibraryItem
    ) throws -> OriginResponse {
        switch address.piece {
        case .initSegment(let rendition):
            try InitSegmentHandler(maker: maker).answer(asked, opener.delivered(rendition, of: item, at: address))
        case .segment(let number, let rendition):
            try SegmentHandler(maker: maker, ahead: ahead).answer(
                asked,
                DeliveredSegment(number, of: opener.delivered(rendition, of: item, at: address))
            )
        case .whole(let rendition):
            try WholeHandler(maker: maker, layouts: layouts).answer(
                asked,
                opener.delivered(rendition, of: item, at: address),
                of: item
            )
        case .subtitles(let number, let source):
            try SubtitlesHandler(opener: opener).answer(asked, number, of: source, item, at: address)
        }
    }

    private func item(_ id: String) throws(OriginFailure) -> LibraryItem {
        guard let item = library.item(id) else { throw .notFound("there is no item '\(id)'") }
        return item
    }
}
