internal import Events
internal import Fetch
internal import Timeline

/// Where players, items and clients leave what is to be done and told.
struct PlayerOutput: Sendable {
    var effects: [SessionEffect] = []
    var notices: [PlayerNotice] = []
    private var fetches = 0

    /// How many requests were begun so far.
    var requestCount: Int { fetches }

    mutating func log(_ kind: EventKind) { effects.append(.log(kind)) }

    mutating func notify(_ notice: PlayerNotice) { notices.append(notice) }

    /// Begins a request and returns it.
    mutating func begin(_ resource: String, _ make: (FetchID) -> FetchRequest) -> FetchRequest {
        fetches += 1
        let request = make(FetchID(fetches))
        log(.requestBegan(request: fetches, url: request.url, resource: resource))
        effects.append(.fetch(request))
        return request
    }

    mutating func cancel(_ id: FetchID) { effects.append(.cancel(id)) }
}
