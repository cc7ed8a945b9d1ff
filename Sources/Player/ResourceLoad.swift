internal import Fetch
internal import Timeline

/// Loads one small resource whole, trying again as the profile says: a playlist or a key.
struct ResourceLoad: Sendable {
    /// A resource that came.
    struct Arrival: Sendable {
        let bytes: FetchBytes
        /// Where it came from, redirects followed.
        let url: String
        /// When the request began that brought it.
        let began: Instant
    }

    let url: String

    /// What requests for it are called in the log.
    let resource: String

    /// Whether a resource that is missing may be there in a moment.
    let isLive: Bool

    private(set) var transfer: Transfer?
    private var attempts = Attempts()

    init(url: String, resource: String, isLive: Bool = false) {
        self.url = url
        self.resource = resource
        self.isLive = isLive
    }

    /// When it goes on by itself; nil when it does not.
    var nextChange: Instant? { transfer == nil ? attempts.retryAt : nil }

    /// Begins the request when it is to be made now.
    mutating func load(at now: Instant, output: inout PlayerOutput, request: (FetchID, String) -> FetchRequest) {
        guard transfer == nil, attempts.allow(at: now) else { return }
        transfer = Transfer(output.begin(resource) { request($0, url) }, began: now)
    }

    /// Gives up the request under way.
    mutating func stop(output: inout PlayerOutput) {
        if let transfer { output.cancel(transfer.id) }
        transfer = nil
    }

    /// Takes in news of the request.
    ///
    /// - Returns: What came, to be taken by ``finish(at:journal:)`` or ``fail(_:context:journal:output:)``; nil while that
    ///   is open.
    mutating func receive(
        _ event: FetchEvent,
        at now: Instant,
        output: inout PlayerOutput
    ) -> Result<Arrival, LoadFailure>? {
        switch event {
        case .response(_, let response): transfer?.receive(response, at: now)
        case .data(_, let bytes):
            transfer?.receive(bytes)
            guard let failure = transfer?.look(at: now) else { return nil }
            stop(output: &output)
            return .failure(failure)
        case .failed(_, let error): return .failure(LoadFailure(error))
        case .finished:
            guard let transfer else { return nil }
            return transfer.result(isLive: isLive).map {
                Arrival(bytes: $0, url: transfer.finalURL, began: transfer.began)
            }
        }
        return nil
    }

    /// What came is taken.
    mutating func finish(at now: Instant, journal: inout ItemJournal) {
        guard let transfer else { return }
        journal.update(uri: url, at: now) { entry in
            entry.requests += 1
            entry.bytes += transfer.bytes.count
            entry.serverAddress = transfer.response?.serverAddress ?? ""
        }
        self.transfer = nil
        attempts = Attempts()
    }

    /// What came, or did not, is of no use.
    ///
    /// - Returns: Whether it will be tried again.
    mutating func fail(
        _ failure: LoadFailure,
        context: LoadContext,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) -> Bool {
        transfer = nil
        journal.record(failure.error, uri: url, item: context.item, at: context.now, output: &output)
        return attempts.fail(failure, at: context.now, context.settings)
    }
}
