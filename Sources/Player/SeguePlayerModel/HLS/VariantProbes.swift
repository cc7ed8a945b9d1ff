internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// The probes of the other variants, on platforms that examine all variants before playback.
///
/// Their media are released when each has enough to begin playback, or has failed.
struct VariantProbes: Sendable {
    /// The maximum number of probes.
    static let most = 32

    /// The probes of all variants except the one in use, in the order in which they were opened.
    private(set) var all: [StreamLoader] = []

    /// Adds a probe whose playlist has arrived.
    mutating func add(_ probe: StreamLoader) {
        all.append(probe)
        all[all.count - 1].intake.isProbe = true
    }

    private func index(owning id: FetchID) -> Int? {
        all.indices.first { all[$0].request.transferID == id || all[$0].prefetched.transferID == id }
    }

    func owns(_ id: FetchID) -> Bool { index(owning: id) != nil }

    func nextChange(at now: Instant) -> Instant? { all.compactMap(\.request.retryAt).min() }

    /// Handles news of a request.
    mutating func receive(
        _ event: FetchEvent,
        announced: AnnouncedCodecs,
        keyring: Keyring,
        _ context: inout StepContext
    ) {
        guard let index = index(owning: event.id) else { return }
        if all[index].prefetched.transferID == event.id {
            all[index].prefetched.receive(event, &context)
        } else {
            all[index].receive(event, announced: announced, keyring: keyring, &context)
        }
    }

    /// Begins the requests that are due: for each probe when the previous one has opened, and for the first when audio
    /// has.
    mutating func load(
        _ loading: LoadConditions,
        isAudioOpen: Bool,
        keyring: inout Keyring,
        _ context: inout StepContext
    ) {
        for index in all.indices {
            let isEnough = all[index].has(context.settings.starting.keepUpEnough, from: loading.playhead)
            var loading = loading
            loading.isHeld = isEnough || !(index > 0 ? all[index - 1].isOpen : isAudioOpen)
            all[index].load(loading, keyring: &keyring, &context)
        }
    }

    /// True if a probe waits for the response to a prefetch.
    var awaitPrefetched: Bool { all.contains { $0.prefetched.awaitsResponse } }

    /// Reads the probes that do not have enough from a position on and are not ahead of a limit.
    mutating func setRead(
        _ isRead: Bool,
        enough: Duration?,
        notBeyond furthest: Duration?,
        from position: Duration,
        _ context: inout StepContext
    ) {
        for index in all.indices {
            all[index].setRead(isRead, enough: enough, notBeyond: furthest, from: position, &context)
        }
    }

    /// Returns the ends of the probes that are loading a segment.
    func ends(from position: Duration) -> [Duration] {
        all.filter(\.isLoading).map { $0.bufferedEnd(from: position) }
    }

    /// True if the last probe has opened.
    var areOpen: Bool { all.last.map(\.isOpen) ?? true }

    /// Returns whether all have enough from a position on, or have ended.
    func have(_ enough: Duration, from position: Duration) -> Bool {
        all.allSatisfy { $0.has(enough, from: position) }
    }

    /// Cancels all requests, and releases all media.
    mutating func stop(_ context: inout StepContext) {
        for index in all.indices { all[index].stop(&context) }
        all = []
    }
}

extension StreamLoader {
    /// Reads its response if it does not have enough from a position on and is not ahead of a limit.
    mutating func setRead(
        _ isRead: Bool,
        enough: Duration?,
        notBeyond furthest: Duration?,
        from position: Duration,
        _ context: inout StepContext
    ) {
        let isEnough = enough.map { has($0, from: position) } ?? false
        let isBeyond = furthest.map { bufferedEnd(from: position) > $0 } ?? false
        request.setRead(isRead && !isEnough && !isBeyond, &context)
    }

    /// Returns whether it has opened and has enough from a position on, or has ended.
    func has(_ enough: Duration, from position: Duration) -> Bool {
        isLoadedToEnd || failure != nil || isOpen && bufferedEnd(from: position) - position >= enough
    }

    /// The number of bytes of a first segment that are read to identify it (hls.c, INITIAL_BUFFER_SIZE).
    private static let opening = 32 << 10

    /// True if enough media have arrived to open the next probe, or never will.
    var isOpen: Bool {
        if intake.arrivals > 0 || failure != nil { return true }
        guard case .segment = request.target else { return false }
        return (request.transfer?.bytes.count ?? 0) >= Self.opening
    }
}
