internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// An interstitial that is being loaded or played: its list of assets, and those of them that are at hand.
struct InterstitialBreak: Sendable {
    /// The most bytes of a list of assets.
    static let byteLimit = 1 << 20

    /// How long is waited for an asset whose turn it is (RFC 8216bis, D.5: up to a minute).
    private static let patience = Duration.seconds(60)

    let scheduled: ScheduledInterstitial

    /// Whether the item has stopped for it; else it is loaded ahead.
    private(set) var isOn = false

    /// Where on the item's timeline offsets count from.
    private(set) var base = Duration.zero

    /// How much of it had gone by when the item was joined in its midst.
    private(set) var joined = Duration.zero

    /// How much of it was played, without the asset whose turn it is.
    var played = Duration.zero

    /// Whether it has failed as a whole, so that the item goes on where it stands.
    private(set) var hasFailed = false

    /// Whether there was an asset.
    private(set) var hasTried = false

    /// The asset whose turn it is, and the one after that.
    var items: [PlayerItem] = []

    private var list: ResourceLoad?

    /// The addresses of the assets after these; nil while the list of them is not there.
    private(set) var coming: ArraySlice<String>?

    /// Since when the asset whose turn it is has been waited for.
    var awaitedSince = Instant.zero

    /// - Parameters:
    ///   - scheduled: What is to be played.
    ///   - joined: How much of it has gone by where an item without an end is joined in its midst.
    ///   - session: What servers are told that the session is called (RFC 8216bis, D.4).
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

    /// An address in the playlist, with the session's name in its query.
    private func address(_ uri: String, of session: String) -> String {
        InterstitialBreak.address(uri, against: scheduled.playlistURL, of: session)
    }

    private static func address(_ uri: String, against base: String, of session: String) -> String {
        guard !uri.hasPrefix("data:") else { return uri }
        return DeliveryDirectives.directing("_HLS_primary_id=\(session)", to: URIReference.resolve(uri, against: base))
    }

    // MARK: What is so

    /// Whether nothing of it is left.
    var isOver: Bool { items.isEmpty && coming?.isEmpty == true }

    /// How much more of it may be played; nil for all.
    var rest: Duration? { scheduled.interstitial.playoutLimit.map { max(.zero, $0 - played) } }

    /// Whether its only asset is named by the playlist itself.
    var isOfOneAsset: Bool { if case .one = scheduled.interstitial.assets { true } else { false } }

    /// Where the item goes on that stands at a position, clear of what is snapped to.
    func resumption(from left: Duration) -> Duration {
        let given = scheduled.interstitial.resumeOffset
        // What was to be played and was not takes no time, unless a list had nothing that could be (RFC 8216bis, D.5).
        if played == .zero, hasFailed || hasTried && isOfOneAsset { return left }
        return max(left, base + (given ?? joined + played))
    }

    /// Where the item will go on, as far as that is known; nil where it goes on where it stands.
    func expectedResumption(from left: Duration) -> Duration? {
        let expected = base + scheduled.interstitial.expectedOffset
        return expected > left ? expected : nil
    }

    /// When the asset whose turn it is is given up; nil where it is ready, or its turn has not come.
    var deadline: Instant? {
        guard isOn, !isOver, items.first.map({ $0.status == .unknown }) ?? true else { return nil }
        return awaitedSince + InterstitialBreak.patience
    }

    // MARK: What it is told

    /// The item stops for it.
    mutating func begin(base: Duration, at now: Instant) {
        (isOn, self.base, awaitedSince) = (true, base, now)
    }

    /// Nothing of it can be played.
    mutating func fail() {
        hasFailed = true
        coming = []
    }

    /// The next address of an asset, to be made an item of; nil where there is none, or none yet.
    mutating func nextAddress() -> String? {
        let next = coming?.popFirst()
        if next != nil { hasTried = true }
        return next
    }

    // MARK: The list

    var nextChange: Instant? { list?.nextChange }

    func owns(_ id: FetchID) -> Bool { list?.transfer?.id == id }

    mutating func load(_ maker: RequestMaker, _ turn: inout Turn) {
        list?.load(&turn) { maker.assetList($0, $1) }
    }

    /// Takes in news of the request for the list.
    ///
    /// - Returns: Why there will be none; nil where there is one, and while that is open.
    mutating func receive(_ event: FetchEvent, session: String, _ turn: inout Turn) -> PlaybackError? {
        guard let result = list?.receive(event, &turn) else { return nil }
        switch result {
        case .success(let came):
            list?.finish(&turn)
            list = nil
            let text = String(validating: came.bytes.bytes, as: UTF8.self)
            guard let assets = text.flatMap(AssetList.init)?.assets else {
                return PlaybackError(.unreadable, "no list of assets: \(came.url)")
            }
            coming = assets.map { InterstitialBreak.address($0.uri, against: came.url, of: session) }[...]
            return nil
        case .failure(let failure):
            guard list?.fail(failure, &turn) == false else { return nil }
            list = nil
            return failure.error
        }
    }

    /// Gives up every request.
    mutating func stop(_ turn: inout Turn) {
        list?.stop(&turn)
        list = nil
        for index in items.indices { items[index].stop(&turn) }
    }
}
