package import HTTPHosts
package import Media
package import Packager

/// Answers requests with the very bytes that the server sends: all of the server but its sockets.
///
/// It blocks while files are opened and segments are made. Any number of threads may ask at once.
package final class Responder: Sendable {
    /// How much is kept.
    package struct Limits: Sendable {
        /// The greatest number of presentations held ready.
        package var presentations: Int

        /// The greatest number of bytes of segments held.
        package var segmentBytes: Int

        /// How many segments after one that is asked for are made before they are asked for, where that takes
        /// encoding.
        package var ahead: Int

        /// How many segments are made at once where that takes encoding.
        package var encoders: Int

        /// How many bytes of transcoded sound each presentation keeps, for renditions of it with the same sound.
        package var soundBytes: Int

        /// Limits; the given ones suit a home.
        package init(
            presentations: Int = 16,
            segmentBytes: Int = 24 << 20,
            ahead: Int = 0,
            encoders: Int = 1,
            soundBytes: Int = 0
        ) {
            self.presentations = presentations
            self.segmentBytes = segmentBytes
            self.ahead = ahead
            self.encoders = encoders
            self.soundBytes = soundBytes
        }
    }

    /// The files.
    package let library: Library
    /// The devices that a request may name.
    let devices: Devices
    /// The hosts under which it may be asked; nil for any.
    private let hosts: AllowedHosts?

    let catalogue = Catalogue()
    let presentations: PresentationStore
    let segments: SegmentStore
    let ahead: SegmentsAhead
    let metrics = Metrics()
    let stations = RadioStations()
    let renderer: (any PageRendering)?
    private let observer: (@Sendable (OriginExchange) -> Void)?

    /// A responder for a library.
    ///
    /// - Parameters:
    ///   - library: The files.
    ///   - devices: The devices that a request may name.
    ///   - hosts: The hosts under which it may be asked; nil for any.
    ///   - limits: How much is kept in memory.
    ///   - disk: Where more is kept.
    ///   - keeper: Keeps what opening files shows; nil for nobody.
    ///   - page: Makes the page for browsers; without one there is none.
    ///   - observer: Told of every exchange, on the thread that answered.
    package init(
        library: Library,
        devices: Devices = .none,
        hosts: AllowedHosts? = nil,
        limits: Limits = Limits(),
        disk: DiskCache? = nil,
        keeper: (any IndexKeeping)? = nil,
        page: (any PageRendering)? = nil,
        observer: (@Sendable (OriginExchange) -> Void)? = nil
    ) {
        self.library = library
        self.devices = devices
        self.hosts = hosts
        presentations = PresentationStore(limit: limits.presentations, keptSound: limits.soundBytes, keeper: keeper)
        segments = SegmentStore(limit: limits.segmentBytes, disk: disk)
        ahead = SegmentsAhead(count: limits.ahead, threads: limits.encoders)
        renderer = page
        self.observer = observer
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
        var exchange = OriginExchange(
            request: request,
            response: OriginResponse(status: 500, headers: [], body: .empty)
        )
        do throws(OriginFailure) {
            exchange.response = try answer(request, cancellation, &exchange)
        } catch {
            exchange.response = error.response
        }
        exchange.response.headers += [
            ("Access-Control-Allow-Origin", "*"),
            ("Access-Control-Expose-Headers", Self.exposedFields),
        ]
        if request.method == "HEAD" { exchange.response.body = .empty }
        metrics.end(exchange.response)
        observer?(exchange)
        return exchange.response
    }

    /// Blocks until what was made is on the disk; a test's way to know of it.
    func waitForDisk() { segments.waitForDisk() }

    /// Looks into every file that has not been looked into, one after another, until cancelled.
    ///
    /// Requests come first: while some are being answered, one file is looked into for each answer.
    package func learn(cancellation: Cancellation) {
        learn(cancellation: cancellation) { [catalogue] in catalogue.look(into: $0, cancellation: cancellation) }
    }

    /// As ``learn(cancellation:)``, with something else that looks into a file.
    package func learn(cancellation: Cancellation, look: (LibraryItem) -> Void) {
        let items = library.items
        catalogue.keepOnly(Set(items.map(\.id)))
        for item in items {
            metrics.waitForTurn(cancellation)
            if cancellation.isCancelled { return }
            look(item)
        }
    }

    /// Looks into a file, unless that has been done since it last changed.
    package func look(into item: LibraryItem, cancellation: Cancellation) {
        catalogue.look(into: item, cancellation: cancellation)
    }

    /// Keeps that a file does not answer, so that nobody waits for it again until it changes.
    package func giveUp(_ item: LibraryItem) { catalogue.giveUp(item) }

    /// Whether something is being made that nobody has asked for yet, but soon may.
    package var isMakingAhead: Bool { ahead.isBusy }

    /// Lets go of most of what is held in memory, when many of those have gone for whom it was held.
    package func shrink() { segments.shrink() }

    /// Ends what goes on without a request, and closes the library.
    package func close() {
        stations.stop()
        library.close()
    }

    private func answer(
        _ request: OriginRequest,
        _ cancellation: Cancellation,
        _ exchange: inout OriginExchange
    ) throws(OriginFailure) -> OriginResponse {
        if let hosts, !hosts.allows(request.header("Host")) { throw .foreignHost(request.header("Host") ?? "") }
        let methods = "GET, HEAD, OPTIONS"
        guard ["GET", "HEAD", "OPTIONS"].contains(request.method) else {
            throw OriginFailure(
                status: 405,
                code: "methodNotAllowed",
                message: "only \(methods) are answered here",
                headers: [("Allow", methods)]
            )
        }
        let target = try RequestTarget(request.target)
        guard let route = Route(target.components) else { throw .notFound("there is nothing under this path") }
        if request.method == "OPTIONS" { return Self.options(methods) }
        switch route {
        case .page: return try page(target.query, request)
        case .items: return try items(target.query, cancellation).document(request)
        case .item(let id): return try details(try item(id), target.query, cancellation).document(request)
        case .radio: return try radio(target.query, request, cancellation)
        case .health: return .text("ok\n", "text/plain; charset=utf-8")
        case .metrics: return .text(metricsText, "text/plain; version=0.0.4; charset=utf-8")
        case .part(let part, let id):
            let item = try item(id)
            exchange.item = item
            exchange.piece = piece(part, target.query)
            do {
                return try respond(to: request, part: part, of: item, target.query, cancellation)
            } catch {
                throw OriginFailure(error, item: item)
            }
        }
    }

    private func respond(
        to request: OriginRequest,
        part: Route.Part,
        of item: LibraryItem,
        _ query: Query,
        _ cancellation: Cancellation
    ) throws -> OriginResponse {
        switch part {
        case .multivariantPlaylist:
            try multivariantPlaylist(item, query, request, cancellation).document(request)
        case .mediaPlaylist: try mediaPlaylist(item, query, request, cancellation).document(request)
        case .initSegment(let tag, let device, let rendition):
            try initSegment(item, tag, self.device(ofPath: device), rendition, cancellation).conditional(request)
                .ranged(request)
        case .segment(let tag, let device, let number, let rendition, let container):
            try segment(request, item, tag, self.device(ofPath: device), number, rendition, container, cancellation)
                .conditional(request).ranged(request)
        case .whole(let tag, let device, let rendition, let container):
            try whole(request, item, tag, self.device(ofPath: device), rendition, container, cancellation)
        case .subtitles(let tag, let device, let number, let stream, let container):
            try subtitles(item, tag, self.device(ofPath: device), number, stream, container, cancellation)
                .document(request)
        case .side(let tag, let device, let number, let side, let container):
            try self.side(item, tag, self.device(ofPath: device), number, side, container, cancellation)
                .document(request)
        case .original: try original(item).conditional(request).ranged(request)
        case .artwork: try artwork(item, query, cancellation).conditional(request).ranged(request)
        }
    }

    private func item(_ id: String) throws(OriginFailure) -> LibraryItem {
        guard let item = library.item(id) else { throw .notFound("there is no item '\(id)'") }
        return item
    }

    private var metricsText: String {
        metrics.text(
            openPresentations: presentations.count,
            items: library.items.count,
            knownItems: catalogue.count,
            segments: segments.counts
        )
    }

    /// What scripts of other servers' pages may read.
    private static let exposedFields =
        "Accept-Ranges, Content-Encoding, Content-Length, Content-Range, ETag, Retry-After"

    /// What pages of other servers may send: ranges, conditions, and what players say of themselves (CTA-5004).
    private static let allowedFields = """
        Range, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, \
        CMCD-Object, CMCD-Request, CMCD-Session, CMCD-Status
        """

    private static func options(_ methods: String) -> OriginResponse {
        OriginResponse(
            status: 204,
            headers: [
                ("Allow", methods), ("Access-Control-Allow-Methods", methods),
                ("Access-Control-Allow-Headers", allowedFields),
                ("Access-Control-Max-Age", "86400"),
            ],
            body: .empty
        )
    }
}
