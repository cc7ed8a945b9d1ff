internal import Fetch
internal import Timeline

/// What clients are told.
extension MediaClient {
    /// What the app wishes of its loading.
    var wishes: LoadingWishes {
        get {
            switch self {
            case .hls(let client): client.wishes
            case .progressive(let client): client.wishes
            }
        }
        set {
            switch consume self {
            case .hls(var client):
                client.wishes = newValue
                self = .hls(client)
            case .progressive(var client):
                client.wishes = newValue
                self = .progressive(client)
            }
        }
    }

    // `consume` hands the client over without a copy of what it holds.

    /// Begins to load.
    mutating func begin() {
        switch consume self {
        case .hls(var client):
            client.begin()
            self = .hls(client)
        case .progressive(var client):
            client.begin()
            self = .progressive(client)
        }
    }

    /// Loads from a position on, letting go of what lies before it.
    mutating func move(to position: Duration, output: inout PlayerOutput) {
        switch consume self {
        case .hls(var client):
            client.move(to: position, output: &output)
            self = .hls(client)
        case .progressive(var client):
            client.move(to: position, output: &output)
            self = .progressive(client)
        }
    }

    /// Gives up every request and lets go of what was loaded; ``begin()`` would load it again from a position on.
    mutating func stop(at position: Duration, output: inout PlayerOutput) {
        switch consume self {
        case .hls(var client):
            client.stop(at: position, output: &output)
            self = .hls(client)
        case .progressive(var client):
            client.stop(at: position, output: &output)
            self = .progressive(client)
        }
    }

    /// Begins the requests that are to be made now.
    mutating func update(playhead: Duration, rate: Double, at now: Instant, output: inout PlayerOutput) {
        switch consume self {
        case .hls(var client):
            client.update(playhead: playhead, rate: rate, at: now, output: &output)
            self = .hls(client)
        case .progressive(var client):
            client.update(playhead: playhead, rate: rate, at: now, output: &output)
            self = .progressive(client)
        }
    }

    /// Takes in that the buffer ran out while playing.
    mutating func starve() {
        switch consume self {
        case .hls(var client):
            client.isStarved = true
            self = .hls(client)
        case .progressive(let client): self = .progressive(client)
        }
    }

    /// Takes in what the player does with the item.
    mutating func follow(_ control: TimeControl, output: inout PlayerOutput) {
        switch consume self {
        case .hls(let client): self = .hls(client)
        case .progressive(var client):
            client.follow(control, output: &output)
            self = .progressive(client)
        }
    }

    /// Hands on what has come of a file or a stream and was kept until there would be more.
    mutating func handOn(output: inout PlayerOutput) {
        guard case .progressive(var client) = self else { return }
        client.handOn(output: &output)
        self = .progressive(client)
    }

    /// The first answer is no playlist: what has begun to come are the media.
    mutating func becomeProgressive(startingAt position: Duration?) {
        guard case .hls(let client) = self, let transfer = client.playlist?.resource.transfer else { return }
        self = .progressive(ProgressiveClient(of: client, startingAt: position, transfer: transfer))
    }

    /// Takes in news of one of this client's requests.
    ///
    /// - Returns: Whether there is something to do about it.
    mutating func handle(
        _ event: FetchEvent,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) -> Bool {
        switch consume self {
        case .hls(var client):
            let isNews = client.handle(event, at: now, journal: &journal, output: &output)
            self = .hls(client)
            return isNews
        case .progressive(var client):
            client.handle(event, at: now, journal: &journal, output: &output)
            self = .progressive(client)
            return true
        }
    }
}
