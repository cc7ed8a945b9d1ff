internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// A change of variant whose playlist is loading.
struct VariantChange: Sendable {
    let variant: Int
    var load: PlaylistLoad

    /// The timeline, its URL, and the start of its request, once it has arrived.
    ///
    /// It takes over between two segments.
    var arrived: (timeline: SegmentTimeline, url: String, began: Instant?)?

    /// True if no segment of the previous variant loads before it.
    let isUrgent: Bool

    /// True if it is made because the previous variant has a gap.
    var avoidsGap = false

    /// True if no more segments of the previous variant begin.
    var holds: Bool { isUrgent || arrived != nil }
}

/// The changes between the variants of an item.
struct VariantCourse: Sendable {
    /// The playhead's progress toward a segment.
    struct Race {
        /// The duration until the buffer runs out.
        let seconds: Double
        let wanted: VariantChoice.Wanted
        /// The timeline of the variant in use.
        let timeline: SegmentTimeline
    }

    var choice: VariantChoice
    var record: VariantRecord

    /// The steering server, if there is one and the platform follows it.
    private var steering: Steering?

    /// The change in progress, if any.
    private(set) var change: VariantChange?

    /// The gap to avoid: its start, and the variants that have it as well.
    private var gap: (start: Duration, tried: Set<Int>)?

    /// The maximum number of variants that are tried for one gap.
    private static let mostTried = 4

    /// A cache of the timelines of variants.
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
        // Before the first manifest, the pathway in the playlist comes first, and the others in their order.
        var pathways: [String] = []
        for pathway in [steering.pathwayID].compactMap(\.self) + choice.ladder.variants.map(\.pathway)
        where !pathways.contains(pathway) {
            pathways.append(pathway)
        }
        self.choice.ladder.pathways = pathways
    }

    // MARK: Steering

    /// The instant of the next steering request, if any.
    var nextSteering: Instant? { steering?.nextChange }

    /// Begins the request for a steering manifest that is due.
    mutating func loadSteering(throughput: Double?, _ maker: RequestMaker, _ context: inout StepContext) {
        let pathway = choice.current?.pathway
        if let manifest = steering?.load(pathway: pathway, throughput: throughput, maker, &context) { follow(manifest) }
    }

    func ownsSteering(_ id: FetchID) -> Bool { steering?.owns(id) == true }

    /// Handles news of the steering request.
    mutating func receiveSteering(_ event: FetchEvent, _ context: inout StepContext) {
        if let manifest = steering?.receive(event, &context) { follow(manifest) }
    }

    private mutating func follow(_ manifest: SteeringManifest) {
        choice.follow(manifest)
        record.judged = -1
    }

    var hasOthers: Bool { choice.ladder.variants.count > 1 }

    /// True if there is another variant, and no change is in progress.
    var mayBeLeft: Bool { change == nil && hasOthers }

    /// Decides whether to change the variant, after a segment of the current one arrived or failed.
    ///
    /// - Parameters:
    ///   - main: The stream of the variant in use.
    ///   - playhead: The position of the playhead.
    ///   - failure: The permanent failure of that variant or its audio, if any.
    ///   - estimate: The measured bandwidth in bits per second, if any.
    ///   - wanted: The criteria of the app.
    ///   - now: The instant of the decision.
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
            guard change == nil, main.progress.standing != .idle, !main.isLoadedToEnd else { return }
            guard main.intake.arrivals != record.judged || choice.isRuledOut(wanted) else { return }
            record.judged = main.intake.arrivals
            record.failures = 0
        }
        // At the edge of a stream with parts, no more can be available than there is.
        let ahead = max(
            main.bufferedEnd(from: playhead) - playhead,
            main.progress.isAtEdge ? choice.ladder.settings.adapting.switchUpBuffer : .zero
        )
        let segment = main.progress.nextDuration
        guard let next = choice.next(estimate: estimate, ahead: ahead, segment: segment, wanted, at: now),
            next != index
        else { return }
        let variants = choice.ladder.variants
        let isUrgent =
            failure != nil || variants[next].bandwidth < variants[index].bandwidth
            || choice.ladder.settings.adapting.switchWaitsForPlaylist
        go(to: next, isUrgent: isUrgent, from: main.progress.playlist.timeline)
    }

    /// Begins a change to a lower variant if the current segment will be late and the lower variant's would be in time.
    ///
    /// - Parameters:
    ///   - transfer: The open request for the segment.
    ///   - duration: The duration of the segment.
    ///   - race: The time that remains.
    ///   - now: The instant of the decision.
    /// - Returns: True if the change has begun.
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

    /// Begins a change to another variant if the current one has a gap (RFC 8216bis, 4.4.4.7).
    mutating func avoidGap(of main: StreamLoader, _ wanted: VariantChoice.Wanted, at now: Instant) {
        guard mayBeLeft, main.progress.standing == .needed, !main.isLoading, let index = choice.index,
            let slot = main.nextSlot, slot.isGap
        else { return }
        if gap?.start != slot.start { gap = (slot.start, []) }
        gap?.tried.insert(index)
        while let tried = gap?.tried, tried.count <= VariantCourse.mostTried, change == nil {
            let criteria = VariantLadder.Criteria(
                estimate: nil,
                ahead: .zero,
                peak: wanted.peak,
                suits: choice.suits(wanted)
            )
            let bandwidth = choice.ladder.variants[index].bandwidth
            guard let other = choice.ladder.other(than: tried, below: bandwidth, criteria, at: now) else { return }
            go(to: other, isUrgent: true, from: main.progress.playlist.timeline)
            change?.avoidsGap = true
            dropGapToo()
        }
    }

    /// Abandons a change to avoid a gap if the other variant has the same gap.
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

    // MARK: The change in progress

    /// Begins the playlist request that is due.
    mutating func load(_ maker: RequestMaker, _ context: inout StepContext) {
        guard change?.arrived == nil else { return }
        change?.load.load(&context) { maker.playlist($0, $1) }
    }

    /// Handles news of the playlist request.
    mutating func receive(_ event: FetchEvent, _ context: inout StepContext) -> Result<
        PlaylistLoad.Arrival, PlaybackError
    >? {
        change?.load.receive(event, importing: choice.playlist.variables, &context)
    }

    /// Handles the arrival of the playlist.
    mutating func arrived(_ timeline: SegmentTimeline, _ arrival: PlaylistLoad.Arrival) {
        guard let address = change?.load.url else { return }
        timelines.add(timeline, of: address, from: arrival.url)
        change?.arrived = (timeline, arrival.url, arrival.began)
        if change?.avoidsGap == true { dropGapToo() }
    }

    /// Handles the failure of the playlist.
    ///
    /// The next update chooses again.
    mutating func failed(_ error: PlaybackError, at now: Instant) {
        guard let failed = change?.variant else { return }
        change = nil
        choice.ladder.bar(failed, because: error, at: now)
        record.failures += 1
        record.judged = -1
    }

    /// Completes the change, leaving the variant whose playlist has the URL.
    ///
    /// - Returns: The variants before and after; nil if no change was in progress.
    mutating func finish(leaving url: String) -> (former: Variant, next: Variant)? {
        guard let change, let former = choice.current else { return nil }
        record.left = (url, choice.indicatedBitrate)
        record.changes += 1
        choice.use(change.variant)
        self.change = nil
        return (former, choice.ladder.variants[change.variant])
    }

    /// Abandons the change.
    mutating func stop(_ context: inout StepContext) {
        change?.load.stop(&context)
        change = nil
        steering?.stop(&context)
    }
}
