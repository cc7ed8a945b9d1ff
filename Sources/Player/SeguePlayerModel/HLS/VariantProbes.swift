internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// What is loaded of the variants that are not to be played, where a platform looks into all of them before it begins.
///
/// Their media are let go of when as much of each has come as playing takes to begin, or will not come.
struct VariantProbes: Sendable {
    /// The most that are looked into, however many a playlist names.
    static let most = 32

    /// One for each variant but the one in use, in the order in which they were opened.
    private(set) var all: [StreamLoader] = []

    /// Another variant's playlist has come.
    mutating func add(_ probe: StreamLoader) {
        all.append(probe)
        all[all.count - 1].isProbe = true
    }

    private func index(owning id: FetchID) -> Int? {
        all.indices.first { all[$0].request.transferID == id || all[$0].prefetched.transferID == id }
    }

    func owns(_ id: FetchID) -> Bool { index(owning: id) != nil }

    /// When one of them goes on by itself; nil where none does.
    func nextChange(at now: Instant) -> Instant? { all.compactMap(\.request.retryAt).min() }

    /// Takes in news of a request of theirs.
    mutating func receive(_ event: FetchEvent, _ announced: AnnouncedCodecs, _ keyring: Keyring, _ turn: inout Turn) {
        guard let index = index(owning: event.id) else { return }
        if all[index].prefetched.transferID == event.id {
            all[index].receivePrefetched(event, &turn)
        } else {
            all[index].receive(event, announced, keyring, &turn)
        }
    }

    /// Begins the requests that are to be made now: of each once the one before has been opened, and of the first once the
    /// sound has.
    mutating func load(
        isSoundOpen: Bool,
        playhead: Duration,
        depth: StreamLoader.Depth,
        announced: AnnouncedCodecs,
        keyring: inout Keyring,
        maker: RequestMaker,
        _ turn: inout Turn
    ) {
        for index in all.indices {
            let isEnough = all[index].has(turn.settings.starting.keepUpEnough, from: playhead)
            all[index].load(
                playhead: playhead,
                isHeld: isEnough || !(index > 0 ? all[index - 1].isOpen : isSoundOpen),
                depth: depth,
                announced: announced,
                keyring: &keyring,
                maker: maker,
                &turn
            )
        }
    }

    /// Whether one of them has asked for a segment before its turn, and no answer has begun.
    var awaitPrefetched: Bool { all.contains(where: \.awaitsPrefetched) }

    /// Has read what has not enough from a position on, and is not beyond another, or nothing.
    mutating func setRead(
        _ isRead: Bool,
        enough: Duration?,
        notBeyond furthest: Duration?,
        from position: Duration,
        _ turn: inout Turn
    ) {
        for index in all.indices {
            all[index].setRead(isRead, enough: enough, notBeyond: furthest, from: position, &turn)
        }
    }

    /// As far as those have come of which a segment is under way.
    func ends(from position: Duration) -> [Duration] {
        all.filter(\.isLoading).map { $0.bufferedEnd(from: position) }
    }

    /// Whether the last of them has been opened.
    var areOpen: Bool { all.last.map(\.isOpen) ?? true }

    /// Whether all have so much from a position on, or will not have more.
    func have(_ enough: Duration, from position: Duration) -> Bool {
        all.allSatisfy { $0.has(enough, from: position) }
    }

    /// Lets go of all.
    mutating func stop(_ turn: inout Turn) {
        for index in all.indices { all[index].stop(&turn) }
        all = []
    }
}

extension StreamLoader {
    /// Has its answer read where it has not enough from a position on, and is not beyond another, or nothing of it.
    mutating func setRead(
        _ isRead: Bool,
        enough: Duration?,
        notBeyond furthest: Duration?,
        from position: Duration,
        _ turn: inout Turn
    ) {
        let isEnough = enough.map { has($0, from: position) } ?? false
        let isBeyond = furthest.map { bufferedEnd(from: position) > $0 } ?? false
        request.setRead(isRead && !isEnough && !isBeyond, &turn)
    }

    /// Whether it is open and there is so much from a position on, or there will not be more.
    func has(_ enough: Duration, from position: Duration) -> Bool {
        isLoadedToEnd || failure != nil || isOpen && bufferedEnd(from: position) - position >= enough
    }

    /// So much of a first segment is read before it is known what it is (hls.c, INITIAL_BUFFER_SIZE).
    private static let opening = 32 << 10

    /// Whether so much of media has come that the next one may be opened, or never will.
    var isOpen: Bool {
        if arrivals > 0 || failure != nil { return true }
        guard case .segment = request.target else { return false }
        return (request.transfer?.bytes.count ?? 0) >= Self.opening
    }
}
