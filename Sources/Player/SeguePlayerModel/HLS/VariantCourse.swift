internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// A change of the variant that is under way: its playlist is being loaded.
struct VariantChange: Sendable {
    let variant: Int
    var load: PlaylistLoad

    /// Its timeline, where it came from and when it was asked for, once it is there; it takes over between two segments.
    var arrived: (timeline: SegmentTimeline, url: String, began: Instant?)?

    /// Whether no segment of the former variant is to be loaded until it comes.
    let isUrgent: Bool

    /// Whether it is made because the former variant has a gap.
    var avoidsGap = false

    /// Whether no segment of the former variant is begun any more.
    var holds: Bool { isUrgent || arrived != nil }
}

/// How a client goes from variant to variant.
struct VariantCourse: Sendable {
    /// The playhead, as far as it matters for whether a segment comes in time.
    struct Race {
        /// How much is buffered, in the time in which it plays.
        let seconds: Double
        let wanted: VariantChoice.Wanted
        /// What the variant in use says.
        let timeline: SegmentTimeline
    }

    var choice: VariantChoice
    var record: VariantRecord

    /// The server that says which pathway is to be taken; nil where none does, or nobody heeds it.
    private var steering: Steering?

    /// The change under way; nil when none is.
    private(set) var change: VariantChange?

    /// The gap that other variants are looked at for: where it begins, and which have nothing there either.
    private var gap: (start: Duration, tried: Set<Int>)?

    /// How many variants are looked at for one gap.
    private static let mostTried = 4

    /// The timelines of variants that were in use.
    var timelines = KnownTimelines()

    init(_ choice: VariantChoice, _ record: VariantRecord) {
        self.choice = choice
        self.record = record
        guard let steering = choice.playlist.contentSteering,
            choice.ladder.settings.support.contentSteering == .followed
        else {
            return
        }
        self.steering = Steering(steering, from: choice.url)
        // Until a manifest says otherwise: the pathway that the playlist wants first, the others as listed.
        var pathways: [String] = []
        for pathway in [steering.pathwayID].compactMap(\.self) + choice.ladder.variants.map(\.pathway)
        where !pathways.contains(pathway) {
            pathways.append(pathway)
        }
        self.choice.ladder.pathways = pathways
    }

    // MARK: Steering

    /// When the steering server is asked again; nil where it is not.
    var nextSteering: Instant? { steering?.nextChange }

    /// Begins the request for a steering manifest that is to be made now.
    mutating func loadSteering(throughput: Double?, _ maker: RequestMaker, _ turn: inout Turn) {
        let pathway = choice.current?.pathway
        if let manifest = steering?.load(pathway: pathway, throughput: throughput, maker, &turn) { follow(manifest) }
    }

    /// Whether a request is the one for a steering manifest.
    func ownsSteering(_ id: FetchID) -> Bool { steering?.owns(id) == true }

    /// Takes in news of that.
    mutating func receiveSteering(_ event: FetchEvent, _ turn: inout Turn) {
        if let manifest = steering?.receive(event, &turn) { follow(manifest) }
    }

    private mutating func follow(_ manifest: SteeringManifest) {
        choice.follow(manifest)
        record.judged = -1
    }

    /// Whether there is another variant.
    var hasOthers: Bool { choice.ladder.variants.count > 1 }

    /// Whether there is another variant, and no change to one under way.
    var mayBeLeft: Bool { change == nil && hasOthers }

    /// Looks whether another variant is to be played: when a segment of the present one came, or it failed.
    ///
    /// - Parameters:
    ///   - main: The stream of the variant in use.
    ///   - playhead: Where the playhead is.
    ///   - failure: Why that variant, or its sound, will not come; nil where it may.
    ///   - estimate: What the line carries, in bits per second; nil where it was not measured.
    ///   - wanted: What the choice goes by besides.
    ///   - now: The present.
    mutating func choose(
        after main: StreamLoader,
        playhead: Duration,
        failure: PlaybackError?,
        estimate: Double?,
        _ wanted: VariantChoice.Wanted,
        at now: Instant
    ) {
        guard let index = choice.index, hasOthers else { return }
        if let failure {
            guard record.failures < VariantRecord.mostFailures else { return }
            choice.ladder.bar(index, because: failure, at: now)
            record.failures += 1
        } else {
            guard change == nil, main.standing != .idle, !main.isLoadedToEnd else { return }
            guard main.arrivals != record.judged || choice.isRuledOut(wanted) else { return }
            record.judged = main.arrivals
            record.failures = 0
        }
        // At the edge of a stream that is followed part by part, no more can be there than there is.
        let ahead = max(
            main.bufferedEnd(from: playhead) - playhead,
            main.isAtEdge ? choice.ladder.settings.adapting.switchUpBuffer : .zero
        )
        let segment = main.nextDuration
        guard let next = choice.next(estimate: estimate, ahead: ahead, segment: segment, wanted, at: now),
            next != index
        else { return }
        let variants = choice.ladder.variants
        let isUrgent =
            failure != nil || variants[next].bandwidth < variants[index].bandwidth
            || choice.ladder.settings.adapting.switchWaitsForPlaylist
        go(to: next, isUrgent: isUrgent, from: main.playlist.timeline)
    }

    /// Looks whether a lower variant's segment would come before the buffer has been used up, where that which is under
    /// way comes after it.
    ///
    /// - Parameters:
    ///   - transfer: What has come of the segment.
    ///   - duration: How long that plays.
    ///   - race: How long it may take.
    ///   - now: The present.
    /// - Returns: Whether that is so, and the change to it under way.
    mutating func rescue(
        from transfer: Transfer,
        duration: Duration,
        _ race: Race,
        at now: Instant
    ) -> Bool {
        guard let index = choice.index else { return false }
        let elapsed = (now - transfer.began).seconds
        let bytes = transfer.bytes.count
        guard elapsed >= 1, bytes > 0 else { return false }
        let declared = Double(choice.ladder.variants[index].bandwidth) * duration.seconds / 8
        let size = transfer.announcedLength.map(Double.init) ?? declared
        let bitsPerSecond = Double(bytes) * 8 / elapsed
        let remaining = (size - Double(bytes)) * 8 / bitsPerSecond
        guard race.seconds > 0, remaining > race.seconds else { return false }
        let rescue = choice.ladder.rescue(
            from: index,
            duration: duration,
            within: .nanoseconds(Int64(min(race.seconds, remaining) * 1e9)),
            bitsPerSecond: bitsPerSecond,
            suits: choice.suits(race.wanted),
            at: now
        )
        guard let rescue else { return false }
        go(to: rescue, isUrgent: true, from: race.timeline)
        return true
    }

    /// Looks for another variant where the present one has a gap (RFC 8216bis, 4.4.4.7).
    mutating func avoidGap(of main: StreamLoader, _ wanted: VariantChoice.Wanted, at now: Instant) {
        guard mayBeLeft, main.standing == .needed, !main.isLoading, let index = choice.index,
            let slot = main.nextSlot, slot.isGap
        else { return }
        if gap?.start != slot.start { gap = (slot.start, []) }
        gap?.tried.insert(index)
        while let tried = gap?.tried, tried.count <= VariantCourse.mostTried, change == nil {
            let wish = VariantLadder.Wish(estimate: nil, ahead: .zero, peak: wanted.peak, suits: choice.suits(wanted))
            let bandwidth = choice.ladder.variants[index].bandwidth
            guard let other = choice.ladder.other(than: tried, below: bandwidth, wish, at: now) else { return }
            go(to: other, isUrgent: true, from: main.playlist.timeline)
            change?.avoidsGap = true
            dropGapToo()
        }
    }

    /// Gives up a change that was to avoid a gap, where the other variant has the same.
    private mutating func dropGapToo() {
        guard let gap, let change, let timeline = change.arrived?.timeline else { return }
        let slot = timeline.slot(timeline.segment(at: gap.start))
        guard slot.isGap || slot.end <= gap.start else { return }
        self.gap?.tried.insert(change.variant)
        self.change = nil
    }

    private mutating func go(to next: Int, isUrgent: Bool, from timeline: SegmentTimeline) {
        let address = choice.address(of: choice.ladder.variants[next])
        let load = PlaylistLoad(url: address, asking: timeline.asking(of: address, choice.ladder.settings))
        change = VariantChange(variant: next, load: load, isUrgent: isUrgent)
        if let known = timelines[address] { change?.arrived = (known.timeline, known.url, nil) }
    }

    // MARK: The change under way

    /// Begins the request for its playlist, where that is to be made now.
    mutating func load(_ maker: RequestMaker, _ turn: inout Turn) {
        guard change?.arrived == nil else { return }
        change?.load.load(&turn) { maker.playlist($0, $1) }
    }

    /// Takes in news of the request for its playlist.
    mutating func receive(_ event: FetchEvent, _ turn: inout Turn) -> Result<PlaylistLoad.Arrival, PlaybackError>? {
        change?.load.receive(event, importing: choice.playlist.variables, &turn)
    }

    /// Its playlist is there.
    mutating func arrived(_ timeline: SegmentTimeline, _ arrival: PlaylistLoad.Arrival) {
        guard let address = change?.load.url else { return }
        timelines.add(timeline, of: address, from: arrival.url)
        change?.arrived = (timeline, arrival.url, arrival.began)
        if change?.avoidsGap == true { dropGapToo() }
    }

    /// Its playlist will never be there; the next look chooses again.
    mutating func failed(_ error: PlaybackError, at now: Instant) {
        guard let failed = change?.variant else { return }
        change = nil
        choice.ladder.bar(failed, because: error, at: now)
        record.failures += 1
        record.judged = -1
    }

    /// It has been made: the variant that was in use is left, whose playlist was loaded from an address.
    ///
    /// - Returns: The variants before and after; nil where no change was under way.
    mutating func finish(leaving url: String) -> (former: Variant, next: Variant)? {
        guard let change, let former = choice.current else { return nil }
        record.left = (url, choice.indicatedBitrate)
        record.changes += 1
        choice.use(change.variant)
        self.change = nil
        return (former, choice.ladder.variants[change.variant])
    }

    /// It is given up.
    mutating func stop(_ turn: inout Turn) {
        change?.load.stop(&turn)
        change = nil
        steering?.stop(&turn)
    }
}
