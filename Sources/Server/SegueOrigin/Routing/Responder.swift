package import SegueConcurrency
import SegueFFmpeg
package import SeguePackager
import Synchronization

/// Answers requests with the very bytes that the server sends: all of the server but its sockets and its page.
///
/// It finds out which resource is asked for and hands the request to that resource's handler. It blocks while files are
/// opened and segments are made. Any number of threads may ask at once.
package final class Responder: Sendable {
    /// The files.
    package let library: Library
    /// Learns what is in them.
    package let learner: LibraryLearner
    /// By whom it may be asked.
    private struct Askers {
        /// The hosts under which it may be asked; nil for any.
        var hosts: AllowedHosts?
        /// Whose pages may read the answers.
        var origins: CrossOrigin
    }

    private let askers: Mutex<Askers>
    private let observer: (@Sendable (OriginExchange) -> Void)?
    private let metrics = Metrics()
    private let work: any FileWork

    let opener: ItemOpener
    let maker: SegmentMaker
    let ahead: SegmentsAhead
    let stations: RadioStations
    private let layouts: LayoutFinder
    private let shelf: Shelf
    private let finder: ItemFinder
    private let page: PageHandler
    private let mediaServer: MediaServerHandler?
    private let addresses: (any AddressSharing)?
    private let resume: ResumeHandler
    private let channels: Channels
    private let now: @Sendable () -> Int64

    /// A responder for a library.
    ///
    /// - Parameters:
    ///   - library: The files.
    ///   - devices: The devices that a request may name.
    ///   - hosts: The hosts under which it may be asked; nil for any.
    ///   - origins: Whose pages may read the answers.
    ///   - limits: How much is kept in memory.
    ///   - disk: Where more is kept.
    ///   - spool: Where bodies go that are being sent and have no room in memory.
    ///   - keeper: Keeps what opening files shows; nil for nobody.
    ///   - work: Does what takes libav; nil for this process.
    ///   - points: Keeps where people stopped.
    ///   - now: The time, in milliseconds since 1970.
    ///   - note: Told in a sentence of what is left out of a channel.
    ///   - page: Makes the page for browsers; without one there is none.
    ///   - mediaServer: What televisions see of it; nil for nothing.
    ///   - addresses: Tells under which address others reach the server; nil where nobody does.
    ///   - observer: Told of every exchange, on the thread that answered.
    package init(
        library: Library,
        devices: Devices = .none,
        hosts: AllowedHosts? = nil,
        origins: CrossOrigin = .any,
        limits: Limits = Limits(),
        disk: DiskCache? = nil,
        spool: Spool? = nil,
        keeper: (any IndexKeeping)? = nil,
        work: (any FileWork)? = nil,
        points: any ResumePoints = PassingResumePoints(),
        now: @escaping @Sendable () -> Int64 = TimeText.now,
        note: @escaping @Sendable (String) -> Void = { _ in },
        page: (any PageRendering)? = nil,
        mediaServer: MediaServer? = nil,
        addresses: (any AddressSharing)? = nil,
        observer: (@Sendable (OriginExchange) -> Void)? = nil
    ) {
        self.library = library
        askers = Mutex(Askers(hosts: hosts, origins: origins))
        self.addresses = addresses
        self.observer = observer
        let work = work ?? OwnFileWork(keeper: keeper, keptCoding: limits.codedBytes)
        self.work = work
        stations = RadioStations(files: work)
        let catalogue = Catalogue(library: library, work: work, keeper: keeper)
        let presentations = PresentationStore(limit: limits.presentations, work: work)
        opener = ItemOpener(library: library, devices: devices, catalogue: catalogue, presentations: presentations)
        channels = Channels(opener: opener, note: note)
        self.now = now
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
        shelf = Shelf(library: library, catalogue: catalogue)
        finder = ItemFinder(library: library, catalogue: catalogue, shelf: shelf)
        resume = ResumeHandler(points: points, library: library, now: now)
        self.page = PageHandler(finder: finder, renderer: page)
        self.mediaServer = mediaServer.map { MediaServerHandler(server: $0, library: library, catalogue: catalogue) }
        learner = LibraryLearner(library: library, catalogue: catalogue, metrics: metrics)
    }

    /// May be asked under other hosts, and read by other pages, from now on.
    package func change(hosts: AllowedHosts?, origins: CrossOrigin) {
        askers.withLock { $0 = Askers(hosts: hosts, origins: origins) }
    }

    private var hosts: AllowedHosts? { askers.withLock { $0.hosts } }
    private var origins: CrossOrigin { askers.withLock { $0.origins } }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - cancellation: Stops the work; the answer is then a 503 that nobody reads.
    /// - Returns: The answer, errors included; or one to ask again for (``OriginResponse/heldUntil``).
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
        response.headers += origins.fields(for: request.header("Origin"))
        if request.method == "HEAD" { response.body = .empty }
        if response.heldUntil != nil {
            metrics.hold()
            return response
        }
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
    /// - Throws: ``PackagingError`` when nothing of it can be served, or another process has it open.
    package func presentation(
        of item: LibraryItem,
        for device: DeviceProfile,
        cancellation: Cancellation
    ) throws(PackagingError) -> Presentation {
        let path = item.filePath
        do {
            let found = try opener.presentations.presentation(
                of: FileIdentity(ofFileAt: path),
                for: device,
                cancellation: cancellation
            )
            guard let own = found as? Presentation else {
                throw PackagingError(.broken, file: path, "it is opened in another process")
            }
            return own
        } catch {
            throw PackagingError.wrapping(error, file: path)
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

    /// Tells those who want to know of changes that there are some, where there are (UPnP's events).
    package func tellOfChanges() { mediaServer?.tellOfChanges() }

    /// Ends what goes on without a request, and closes the library.
    package func close() {
        stations.stop()
        library.close()
    }

    private static let nothing = OriginFailure.notFound("there is nothing under this path")

    private func answer(
        _ request: OriginRequest,
        _ cancellation: Cancellation
    ) throws(OriginFailure) -> OriginResponse {
        if let hosts, !hosts.allows(request.header("Host")) { throw .foreignHost(request.header("Host") ?? "") }
        let target = try RequestTarget(request.target)
        guard let route = Route(target.components) else {
            if !RouteMethods.reading.holds(request.method) { throw .methodNotAllowed(.reading) }
            throw Self.nothing
        }
        guard route.methods.holds(request.method) else { throw .methodNotAllowed(route.methods) }
        if request.method == "OPTIONS" { return origins.options(route.methods, for: request.header("Origin")) }
        if let limit = Self.bodyLimit(of: request), request.body.count > limit { throw .bodyTooLong(limit: limit) }
        let asked = ResourceRequest(request: request, query: target.query, cancellation: cancellation)
        switch route {
        case .page: return try page.answer(asked)
        case .pageFile(let name, let version): return try page.file(asked, name, version: version)
        case .items: return try ItemListHandler(finder: finder, resume: resume).answer(asked)
        case .item(let id): return try ItemDetailsHandler(opener: opener).answer(asked, item(id, for: request.visitor))
        case .resume: return try resume.answer(asked)
        case .resumePoint(let id): return try resume.answer(asked, item(id, for: request.visitor))
        case .groups: return try GroupListHandler(shelf: shelf).answer(asked)
        case .radio: return try RadioHandler(library: library, stations: stations).answer(asked)
        case .channel(let place):
            let handler = ChannelHandler(channels: channels, opener: opener, maker: maker, ahead: ahead, now: now)
            return try handler.answer(asked, place)
        case .code, .certificate: return try AddressHandler(addresses: addresses).answer(asked, route)
        case .health: return .text("ok\n\(work.report?.text ?? "")", "text/plain; charset=utf-8")
        case .metrics:
            // They are of all that is served.
            guard request.visitor.seesAll else { throw Self.nothing }
            return MetricsHandler(metrics: metrics, opener: opener, store: maker.store, work: work).answer()
        case .mediaServer(let place):
            guard let mediaServer else { throw Self.nothing }
            return try mediaServer.answer(asked, place)
        case .part(let part, let id):
            let item = try item(id, for: request.visitor)
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
        case .artwork: try ArtworkHandler(opener: opener, store: maker.store, work: work).answer(asked, item)
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

    private func item(_ id: String, for visitor: Visitor) throws(OriginFailure) -> LibraryItem {
        guard let item = library.item(id), visitor.sees(item) else { throw .notFound("there is no item '\(id)'") }
        return item
    }
}
