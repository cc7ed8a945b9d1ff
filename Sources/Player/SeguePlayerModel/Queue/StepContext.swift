internal import SegueBase
internal import SegueEvents
internal import SegueFetch

/// The context of one step of the player: its instant, its effects, and the logs of the item at work.
///
/// A player keeps one context, and lends it to its items, each of which puts its own logs in. Loading code thus
/// receives one value for the time, effects, notices, and logs.
struct StepContext: Sendable {
    let settings: PlatformProfile.Loading

    /// The present, which never goes back.
    var now = Instant.zero

    /// The effects, in order.
    var effects: [SessionEffect] = []

    /// The notices to the app, in order.
    var notices: [PlayerNotice] = []

    /// The header fields that the app adds to the requests of items.
    var appHeaders: [ItemID: [String: String]] = [:]

    /// True if an AirPlay receiver loads the items.
    var isRemote = false

    /// The number of requests so far.
    private(set) var requestCount = 0

    /// The logs of the item that borrows the context.
    private(set) var journal = ItemJournal()

    /// The item that borrows the context.
    private(set) var item = ItemID(0)

    init(settings: PlatformProfile.Loading) { self.settings = settings }

    // MARK: Any caller

    mutating func log(_ kind: EventKind) { effects.append(.log(kind)) }

    mutating func notify(_ notice: PlayerNotice) { notices.append(notice) }

    mutating func begin(_ resource: String, _ make: (FetchID) -> FetchRequest) -> FetchRequest {
        requestCount += 1
        var request = make(FetchID(requestCount))
        if !isRemote, let more = appHeaders[item] {
            request.headers += more.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        }
        log(.requestBegan(request: requestCount, url: request.url, resource: resource))
        effects.append(.fetch(request))
        return request
    }

    mutating func cancel(_ id: FetchID) { effects.append(.cancel(id)) }

    /// Reads a response that was not read at first.
    mutating func read(_ id: FetchID) { effects.append(.read(id)) }

    /// Stops reading a response until it is read again.
    mutating func stopReading(_ id: FetchID) { effects.append(.stopReading(id)) }

    /// Delivers a complete resource.
    mutating func deliver(_ resource: DeliveredResource) { effects.append(.delivered(resource)) }

    // MARK: An item

    /// Exchanges the logs with those of an item.
    ///
    /// A second exchange reverts the first.
    mutating func exchange(_ logs: inout ItemJournal, of id: ItemID) {
        item = id
        swap(&journal, &logs)
    }

    /// Changes the open entry of the item's access log, or begins one now.
    mutating func note(_ uri: String, _ change: (inout AccessLogEntry) -> Void) {
        journal.update(uri: uri, at: now, change)
    }

    /// Closes the open entry of the item's access log, if any.
    mutating func close(_ reason: AccessLogEntry.Reason) {
        guard let entry = journal.close(reason) else { return }
        log(.accessLogEntry(item: item.description, entry: entry.extendedLine))
    }

    /// Records an error of the item.
    mutating func record(_ error: PlaybackError, uri: String) {
        let status = error.domain == .http ? error.code : 0
        let reported = error.logged(as: settings.reporting.errorCodes)
        journal.record(ErrorLogEntry(at: now, uri: uri, status: status, error: error, reported: reported))
        log(
            .errorLogEntry(
                item: item.description,
                url: uri,
                status: status,
                domain: reported.domain.rawValue,
                code: reported.code,
                comment: reported.message
            )
        )
    }
}
