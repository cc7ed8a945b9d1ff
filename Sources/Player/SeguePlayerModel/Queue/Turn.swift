internal import SegueBase
internal import SegueEvents
internal import SegueFetch

/// A turn of the player: the instant at which it is taken, and what comes of it.
///
/// A player keeps one for good and lends it to its items, each of which puts its own logs into it meanwhile; so whatever
/// loads is handed this one value, and nothing else, for the time, for what is to be done and told, and for the logs.
struct Turn: Sendable {
    /// How the platform wants things loaded.
    let settings: PlatformProfile.Loading

    /// The present; it never goes back.
    var now = Instant.zero

    /// What is to be done, in order.
    var effects: [SessionEffect] = []

    /// What the app is to be told, in order.
    var notices: [PlayerNotice] = []

    /// How many requests were begun so far.
    private(set) var requestCount = 0

    /// The logs of the item that it is lent to.
    private(set) var journal = ItemJournal()

    /// The item that it is lent to.
    private(set) var item = ItemID(0)

    init(settings: PlatformProfile.Loading) { self.settings = settings }

    // MARK: Anybody

    /// Something happened.
    mutating func log(_ kind: EventKind) { effects.append(.log(kind)) }

    /// The app is to be told something.
    mutating func notify(_ notice: PlayerNotice) { notices.append(notice) }

    /// Begins a request and returns it.
    mutating func begin(_ resource: String, _ make: (FetchID) -> FetchRequest) -> FetchRequest {
        requestCount += 1
        let request = make(FetchID(requestCount))
        log(.requestBegan(request: requestCount, url: request.url, resource: resource))
        effects.append(.fetch(request))
        return request
    }

    /// Ends a request.
    mutating func cancel(_ id: FetchID) { effects.append(.cancel(id)) }

    /// Reads the answer of a request that was not to be read at first.
    mutating func read(_ id: FetchID) { effects.append(.read(id)) }

    /// Reads nothing more of an answer until it is to be read again.
    mutating func stopReading(_ id: FetchID) { effects.append(.stopReading(id)) }

    /// A resource has come.
    mutating func deliver(_ resource: DeliveredResource) { effects.append(.delivered(resource)) }

    // MARK: An item

    /// Lends it to an item, whose logs are in it until it is given back with the same logs.
    mutating func exchange(_ logs: inout ItemJournal, of id: ItemID) {
        item = id
        swap(&journal, &logs)
    }

    /// Changes the open entry of the item's access log, which begins now where none is open.
    mutating func note(_ uri: String, _ change: (inout AccessLogEntry) -> Void) {
        journal.update(uri: uri, at: now, change)
    }

    /// Closes the open entry of the item's access log, when there is one.
    mutating func close(_ reason: AccessLogEntry.Reason) {
        guard let entry = journal.close(reason) else { return }
        log(.accessLogEntry(item: item.description, entry: entry.extendedLine))
    }

    /// Something went wrong with the item.
    mutating func record(_ error: PlaybackError, uri: String) {
        let status = error.domain == .http ? error.code : 0
        journal.record(ErrorLogEntry(at: now, uri: uri, status: status, error: error))
        log(
            .errorLogEntry(
                item: item.description,
                url: uri,
                status: status,
                domain: error.domain.rawValue,
                code: error.code,
                comment: error.message
            )
        )
    }
}
