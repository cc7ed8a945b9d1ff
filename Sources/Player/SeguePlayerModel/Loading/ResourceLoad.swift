internal import SegueBase
internal import SegueFetch

/// The loading of one small resource, a playlist or a key, with retries.
struct ResourceLoad: Sendable {
    /// A resource that has arrived.
    struct Arrival: Sendable {
        let bytes: FetchBytes
        /// The URL after redirects.
        let url: String
        /// The start of the request that returned it.
        let began: Instant
    }

    let url: String

    /// The URL to request, which may be another address of the same resource.
    private var asked: String

    /// The name of its requests in the log.
    let resource: String

    /// True if a missing resource may appear a moment later.
    let isLive: Bool

    private(set) var transfer: Transfer?
    private var attempts = Attempts()

    init(url: String, asked: String? = nil, resource: String, isLive: Bool = false) {
        self.url = url
        self.asked = asked ?? url
        self.resource = resource
        self.isLive = isLive
    }

    var nextChange: Instant? { transfer == nil ? attempts.retryAt : nil }

    /// Begins the request if it is due.
    mutating func load(_ context: inout StepContext, request: (FetchID, String) -> FetchRequest) {
        guard transfer == nil, attempts.allow(at: context.now) else { return }
        transfer = Transfer(context.begin(resource) { request($0, asked) }, began: context.now)
    }

    /// Requests the resource at its own address from now on: immediately, or at the next retry.
    mutating func askPlainly(isNow: Bool) {
        asked = url
        if isNow { attempts = Attempts() }
    }

    /// Cancels the open request.
    mutating func stop(_ context: inout StepContext) {
        if let transfer { context.cancel(transfer.id) }
        transfer = nil
    }

    /// Handles news of the request.
    ///
    /// - Returns: The result, for ``finish(_:)`` or ``fail(_:_:)``; nil while it is open.
    mutating func receive(
        _ event: FetchEvent,
        _ context: inout StepContext
    ) -> Result<Arrival, LoadFailure>? {
        switch event {
        case .response(_, let response): transfer?.receive(response, at: context.now)
        case .data(_, let bytes):
            transfer?.receive(bytes)
            guard let failure = transfer?.look(at: context.now) else { return nil }
            stop(&context)
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

    /// Accepts the result.
    mutating func finish(_ context: inout StepContext) {
        guard let transfer else { return }
        context.note(url) { entry in
            entry.requests += 1
            entry.bytes += transfer.bytes.count
            entry.serverAddress = transfer.response?.serverAddress ?? ""
        }
        self.transfer = nil
        attempts = Attempts()
    }

    /// Rejects the result, and returns whether there will be a retry.
    mutating func fail(
        _ failure: LoadFailure,
        _ context: inout StepContext
    ) -> Bool {
        transfer = nil
        context.record(failure.error, uri: url)
        return attempts.fail(failure, at: context.now, context.settings)
    }
}
