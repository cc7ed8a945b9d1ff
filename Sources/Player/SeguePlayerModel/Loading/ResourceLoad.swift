internal import SegueBase
internal import SegueFetch

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

    /// What is asked for, where that is the same resource by another address.
    private var asked: String

    /// What requests for it are called in the log.
    let resource: String

    /// Whether a resource that is missing may be there in a moment.
    let isLive: Bool

    private(set) var transfer: Transfer?
    private var attempts = Attempts()

    init(url: String, asked: String? = nil, resource: String, isLive: Bool = false) {
        self.url = url
        self.asked = asked ?? url
        self.resource = resource
        self.isLive = isLive
    }

    /// When it goes on by itself; nil when it does not.
    var nextChange: Instant? { transfer == nil ? attempts.retryAt : nil }

    /// Begins the request when it is to be made now.
    mutating func load(_ turn: inout Turn, request: (FetchID, String) -> FetchRequest) {
        guard transfer == nil, attempts.allow(at: turn.now) else { return }
        transfer = Transfer(turn.begin(resource) { request($0, asked) }, began: turn.now)
    }

    /// Asks for it by its own address from now on: at once, or when it was to be tried again.
    mutating func askPlainly(isNow: Bool) {
        asked = url
        if isNow { attempts = Attempts() }
    }

    /// Gives up the request under way.
    mutating func stop(_ turn: inout Turn) {
        if let transfer { turn.cancel(transfer.id) }
        transfer = nil
    }

    /// Takes in news of the request.
    ///
    /// - Returns: What came, to be taken by ``finish(_:)`` or ``fail(_:_:)``; nil while that is open.
    mutating func receive(
        _ event: FetchEvent,
        _ turn: inout Turn
    ) -> Result<Arrival, LoadFailure>? {
        switch event {
        case .response(_, let response): transfer?.receive(response, at: turn.now)
        case .data(_, let bytes):
            transfer?.receive(bytes)
            guard let failure = transfer?.look(at: turn.now) else { return nil }
            stop(&turn)
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
    mutating func finish(_ turn: inout Turn) {
        guard let transfer else { return }
        turn.note(url) { entry in
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
        _ turn: inout Turn
    ) -> Bool {
        transfer = nil
        turn.record(failure.error, uri: url)
        return attempts.fail(failure, at: turn.now, turn.settings)
    }
}
