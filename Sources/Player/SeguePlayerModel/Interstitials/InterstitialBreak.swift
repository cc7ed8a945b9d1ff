internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// An interstitial that is loading or playing: its asset list, and the assets at hand.
struct InterstitialBreak: Sendable {
    /// The maximum size of an asset list.
    static let byteLimit = 1 << 20

    /// The maximum wait for the current asset (RFC 8216bis, D.5: up to a minute).
    static let patience = Duration.seconds(60)

    let scheduled: ScheduledInterstitial

    /// True if the item has stopped for it.
    ///
    /// Otherwise, it is loaded ahead.
    private(set) var isOn = false

    /// The origin of its offsets on the item's timeline.
    private(set) var base = Duration.zero

    /// The part that had passed when a viewer joined in the middle of it.
    private(set) var joined = Duration.zero

    /// The duration played, without the current asset.
    private(set) var played = Duration.zero

    /// True if it has failed as a whole, so that the item continues where it stands.
    private(set) var hasFailed = false

    /// True if there was an asset.
    private(set) var hasTried = false

    /// The current asset, and the next one.
    var items: [PlayerItem] = []

    private var list: ResourceLoad?

    /// The URLs of the following assets; nil before the list has arrived.
    private(set) var coming: ArraySlice<String>?

    /// The start of the wait for the current asset.
    private var awaitedSince = Instant.zero

    /// An interstitial of a session, with the part that has passed where a viewer joins a live item in the middle of
    /// it.
    ///
    /// The session ID goes into the requests (RFC 8216bis, D.4).
    init(_ scheduled: ScheduledInterstitial, joined: Duration, session: String) {
        self.scheduled = scheduled
        self.joined = joined
        switch scheduled.interstitial.assets {
        case .one(let uri): coming = [address(uri, of: session)]
        case .list(let uri):
            var asked = address(uri, of: session)
            if joined > .zero { asked = DeliveryDirectives.directing("_HLS_start_offset=\(joined.seconds)", to: asked) }
            list = ResourceLoad(url: asked, resource: "asset-list")
        case .none: coming = []
        }
    }

    /// Returns an absolute URL with the session ID in its query.
    private func address(_ uri: String, of session: String) -> String {
        InterstitialBreak.address(uri, against: scheduled.playlistURL, of: session)
    }

    private static func address(_ uri: String, against base: String, of session: String) -> String {
        guard !uri.hasPrefix("data:") else { return uri }
        return DeliveryDirectives.directing("_HLS_primary_id=\(session)", to: URIReference.resolve(uri, against: base))
    }

    // MARK: Status

    var isOver: Bool { items.isEmpty && coming?.isEmpty == true }

    /// The duration that may still be played; nil for all.
    var rest: Duration? { scheduled.interstitial.playoutLimit.map { max(.zero, $0 - played) } }

    /// True if the playlist itself names a single asset.
    var isOfOneAsset: Bool { if case .one = scheduled.interstitial.assets { true } else { false } }

    /// Returns the position at which the item continues, before snapping.
    func resumption(from left: Duration) -> Duration {
        let given = scheduled.interstitial.resumeOffset
        // An interstitial that failed takes no time, unless its list had no playable asset (RFC 8216bis, D.5).
        if played == .zero, hasFailed || hasTried && isOfOneAsset { return left }
        return max(left, base + (given ?? joined + played))
    }

    /// Returns the expected position at which the item continues, if known; nil for the current position.
    func expectedResumption(from left: Duration) -> Duration? {
        let expected = base + scheduled.interstitial.expectedOffset
        return expected > left ? expected : nil
    }

    /// The instant at which the current asset times out; nil if it is ready, or not yet due.
    var deadline: Instant? {
        guard isOn, !isOver, items.first.map({ $0.status == .unknown }) ?? true else { return nil }
        return awaitedSince + InterstitialBreak.patience
    }

    // MARK: Updates

    /// Stops the item for it.
    mutating func begin(base: Duration, at now: Instant) {
        (isOn, self.base, awaitedSince) = (true, base, now)
    }

    /// Fails as a whole.
    mutating func fail() {
        hasFailed = true
        coming = []
    }

    /// Takes the URL of the next asset, if there is one.
    mutating func nextAddress() -> String? {
        let next = coming?.popFirst()
        if next != nil { hasTried = true }
        return next
    }

    /// Handles the end of the current asset, of which a part was played, and waits for the next one.
    mutating func assetEnded(after part: Duration, at now: Instant) {
        played += part
        awaitedSince = now
    }

    /// Changes the current asset, which must exist.
    mutating func changeAsset<Result>(
        playhead: inout Playhead,
        _ context: inout StepContext,
        _ body: (inout PlayerItem, inout Playhead, inout StepContext) -> Result
    ) -> Result {
        body(&items[0], &playhead, &context)
    }

    /// Changes every asset at hand.
    mutating func changeAssets(_ change: (inout PlayerItem) -> Void) {
        for index in items.indices { change(&items[index]) }
    }

    // MARK: The list

    var nextChange: Instant? { list?.nextChange }

    func owns(_ id: FetchID) -> Bool { list?.transfer?.id == id }

    mutating func load(_ maker: RequestMaker, _ context: inout StepContext) {
        list?.load(&context) { maker.assetList($0, $1) }
    }

    /// Handles news of the request for the list, and returns a failure, if any.
    mutating func receive(_ event: FetchEvent, session: String, _ context: inout StepContext) -> PlaybackError? {
        guard let result = list?.receive(event, &context) else { return nil }
        switch result {
        case .success(let came):
            list?.finish(&context)
            list = nil
            let text = String(validating: came.bytes.bytes, as: UTF8.self)
            guard let assets = text.flatMap(AssetList.init)?.assets else {
                return PlaybackError(.unreadable, "the response is not an asset list: \(came.url)")
            }
            coming = assets.map { InterstitialBreak.address($0.uri, against: came.url, of: session) }[...]
            return nil
        case .failure(let failure):
            guard list?.fail(failure, &context) == false else { return nil }
            list = nil
            return failure.error
        }
    }

    /// Cancels every request.
    mutating func stop(_ context: inout StepContext) {
        list?.stop(&context)
        list = nil
        for index in items.indices { items[index].stop(&context) }
    }
}
