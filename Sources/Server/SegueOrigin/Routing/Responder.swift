import HTTPTypes
package import SegueConcurrency
import SegueFFmpeg
package import SeguePackager
import Synchronization

/// Responds to requests with the bytes that the server sends.
///
/// Calls block while files are opened and segments are made. Any number of threads may call at once.
package final class Responder: Sendable {
    /// The restrictions on clients, which may change while the server runs.
    private struct Policy {
        /// The hosts that requests may name; nil for any.
        var hosts: AllowedHosts?
        /// The origins of pages that may read responses.
        var origins: CrossOrigin
    }

    package let library: Library
    package let learner: LibraryIndexer
    let services: OriginServices
    private let policy: Mutex<Policy>
    private let observer: (@Sendable (OriginExchange) -> Void)?

    /// The options of a responder.
    package struct Options {
        /// The devices that requests may name.
        package var devices = Devices.none
        /// The hosts that requests may name; nil for any.
        package var hosts: AllowedHosts?
        /// The origins of pages that may read responses.
        package var origins = CrossOrigin.any
        /// The sizes of caches in memory.
        package var limits = Limits()
        package var disk: DiskCache?
        /// The file for bodies that are being sent and exceed the limit in memory.
        package var spool: Spool?
        /// The store of indexes; nil for none.
        package var keeper: (any IndexKeeping)?
        /// The work with libav; nil for work in this process.
        package var work: (any FileWork)?
        /// The store of resume positions.
        package var points: any ResumePoints = MemoryResumePoints()
        /// The clock, in milliseconds since 1970.
        package var now: @Sendable () -> Int64 = TimeText.now
        /// Receives a sentence for each title that is left out of a channel.
        package var note: @Sendable (String) -> Void = { _ in }
        /// The page for browsers; nil for none.
        package var page: (any PageRendering)?
        /// The media server for UPnP; nil for none.
        package var mediaServer: MediaServer?
        /// The addresses for other devices; nil for none.
        package var addresses: (any AddressSharing)?
        /// Receives each exchange, on the thread that responds.
        package var observer: (@Sendable (OriginExchange) -> Void)?
    }

    package convenience init(library: Library) { self.init(library: library) { _ in } }

    /// Creates a responder for a library; `configure` sets the options.
    package init(library: Library, configure: (inout Options) throws -> Void) rethrows {
        var options = Options()
        try configure(&options)
        let (limits, keeper) = (options.limits, options.keeper)
        self.library = library
        policy = Mutex(Policy(hosts: options.hosts, origins: options.origins))
        observer = options.observer
        let work = options.work ?? OwnFileWork(keeper: keeper, keptCoding: limits.codedBytes)
        let catalogue = Catalogue(library: library, work: work, keeper: keeper)
        let presentations = PresentationStore(limit: limits.presentations, work: work)
        let opener = ItemOpener(
            library: library,
            devices: options.devices,
            catalogue: catalogue,
            presentations: presentations,
            growing: GrowingFiles(records: GrowthRecords(keeper), now: options.now),
            now: options.now
        )
        let maker = SegmentMaker(
            presentations: presentations,
            store: SegmentStore(
                limit: limits.segmentBytes,
                disk: options.disk,
                spool: options.spool,
                sendingLimit: limits.sendingBytes
            )
        )
        let ahead = SegmentPrefetcher(count: limits.ahead, threads: limits.encoders)
        let shelf = Shelf(library: library, catalogue: catalogue)
        let finder = ItemFinder(library: library, catalogue: catalogue, shelf: shelf)
        let metrics = Metrics()
        services = OriginServices(
            library: library,
            opener: opener,
            maker: maker,
            ahead: ahead,
            layouts: LayoutFinder(maker: maker),
            shelf: shelf,
            finder: finder,
            page: PageHandler(finder: finder, renderer: options.page),
            resume: ResumeHandler(points: options.points, library: library, now: options.now),
            stations: RadioStations(files: work),
            channel: ChannelHandler(
                channels: Channels(opener: opener, note: options.note),
                opener: opener,
                maker: maker,
                ahead: ahead,
                now: options.now
            ),
            mediaServer: options.mediaServer.map {
                MediaServerHandler(server: $0, library: library, catalogue: catalogue)
            },
            addresses: options.addresses,
            metrics: metrics,
            work: work
        )
        learner = LibraryIndexer(library: library, catalogue: catalogue, metrics: metrics)
    }

    /// Replaces the allowed hosts and origins.
    package func change(hosts: AllowedHosts?, origins: CrossOrigin) {
        policy.withLock { $0 = Policy(hosts: hosts, origins: origins) }
    }

    /// Responds to a request.
    ///
    /// - Parameters:
    ///   - cancellation: Stops the work; the response is then a 503 that nobody reads.
    /// - Returns: The response, also for errors; or a blocking reload that is due later (see
    ///   ``OriginResponse/blockedUntil``).
    package func respond(
        to request: OriginRequest,
        cancellation: Cancellation = Cancellation()
    ) -> OriginResponse {
        services.metrics.begin()
        let policy = policy.withLock { $0 }
        var response: OriginResponse
        do throws(OriginFailure) {
            response = try self.response(to: request, policy, cancellation)
        } catch {
            response = error.response
        }
        response.headers += policy.origins.fields(for: request.headers[.origin])
        if request.method == "HEAD" { response.body = .empty }
        if response.blockedUntil != nil {
            services.metrics.hold()
            return response
        }
        services.metrics.end(response)
        observer?(OriginExchange(request: request, response: response))
        return response
    }

    private func response(
        to request: OriginRequest,
        _ policy: Policy,
        _ cancellation: Cancellation
    ) throws(OriginFailure) -> OriginResponse {
        if let hosts = policy.hosts, !hosts.allows(request.headers[.hostField]) {
            throw .foreignHost(request.headers[.hostField] ?? "")
        }
        let resolved = try request.resolved.get()
        guard let (route, match) = resolved.route else {
            if !RouteMethods.reading.contains(request.method) { throw .methodNotAllowed(.reading) }
            throw .noResource
        }
        guard route.methods.contains(request.method) else { throw .methodNotAllowed(route.methods) }
        if request.method == "OPTIONS" {
            return policy.origins.options(route.methods, for: request.headers[.origin])
        }
        if let limit = request.bodyLimit, request.body.count > limit { throw .bodyTooLong(limit: limit) }
        if route.access == .wholeLibrary, !request.visitor.seesMetrics { throw .noResource }
        if request.visitor.scope == .televisions, !route.servesTelevisions, route.access != .everyone {
            throw .noResource
        }
        let asked = ResourceRequest(request: request, query: resolved.target.query, cancellation: cancellation)
        do {
            return try match.respond(asked, services)
        } catch let failure as OriginFailure {
            throw failure
        } catch {
            throw OriginFailure(status: 500, code: "internal", message: "\(error)")
        }
    }
}

extension Responder {
    /// Returns the presentation of an item for a device, in the container that suits the device best.
    ///
    /// - Returns: The presentation, opened if necessary.
    /// - Throws: ``PackagingError`` if the item cannot be served, or is open in another process.
    package func presentation(
        of item: LibraryItem,
        for device: DeviceProfile,
        cancellation: Cancellation
    ) throws(PackagingError) -> Presentation {
        let path = item.filePath
        do {
            let found = try services.opener.presentations.presentation(
                of: FileIdentity(ofFileAt: path),
                for: device,
                cancellation: cancellation
            )
            guard let own = found as? Presentation else {
                throw PackagingError(.broken, file: path, "the file is open in another process")
            }
            return own
        } catch {
            throw PackagingError.wrapping(error, file: path)
        }
    }

    /// True while segments are being prefetched.
    package var isPrefetching: Bool { services.ahead.isBusy }

    /// Sets a function that is called each time when there is no memory for bodies that are being sent.
    ///
    /// From then on fewer segments are made at once, until ``endShortage()``.
    package func whenShort(_ action: @escaping @Sendable () -> Void) { services.maker.store.making.whenShort(action) }

    /// Ends the restrictions of a memory shortage.
    package func endShortage() { services.maker.store.making.endShortage() }

    /// Evicts most cached data after many clients disconnect; may block.
    package func shrink() { services.maker.store.shrink() }

    /// Notifies UPnP subscribers if the library has changed.
    package func tellOfChanges() { services.mediaServer?.tellOfChanges() }

    /// Stops radio stations and closes the library.
    package func close() {
        services.stations.stop()
        library.close()
    }
}
