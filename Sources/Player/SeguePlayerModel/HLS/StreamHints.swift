internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// The requests for resources at which a playlist hints.
struct StreamHints: Sendable {
    /// The request for the hinted part.
    var part = HintLoad()

    /// The request for the hinted initialization section.
    var map = HintLoad()

    var isEmpty: Bool { part.hint == nil && map.hint == nil }

    /// The instant at which a request times out, if any is open.
    var nextChange: Instant? {
        guard let other = map.nextChange else { return part.nextChange }
        return part.nextChange.map { min($0, other) } ?? other
    }

    /// Handles news of a request, for the playlist at a URL.
    mutating func receive(_ event: FetchEvent, of playlist: String, _ context: inout StepContext) {
        if part.transferID == event.id {
            part.receive(event, of: playlist, &context)
        } else {
            map.receive(event, of: playlist, &context)
        }
    }

    /// Cancels requests that have timed out.
    mutating func giveUpLate(of playlist: String, _ context: inout StepContext) {
        part.giveUpLate(of: playlist, &context)
        map.giveUpLate(of: playlist, &context)
    }

    /// Requests the hinted part that is next.
    mutating func followPart(
        of progress: StreamProgress,
        for intake: StreamIntake,
        with maker: RequestMaker,
        _ context: inout StepContext
    ) {
        guard let wanted = part.change(to: part.isTrusted ? progress.hintedPart : nil, &context) else { return }
        let request = context.begin("part") { maker.hint($0, wanted, for: intake) }
        part.begin(wanted, request, at: context.now, within: progress.playlist.timeline.patience(context.settings))
    }

    /// Requests the hinted initialization section once, before a segment needs it (RFC 8216bis, 4.4.5.3 and 6.3.8).
    ///
    /// A hint that has disappeared is canceled.
    mutating func followMap(
        of progress: StreamProgress,
        for intake: StreamIntake,
        with maker: RequestMaker,
        _ context: inout StepContext
    ) {
        let hinted = map.isTrusted ? progress.hintedMap : nil
        let offered = hinted.flatMap { intake.content.has($0.address) ? nil : $0 }
        guard offered == nil || offered != map.lastBroken else { return }
        guard let wanted = map.change(to: offered, &context) else { return }
        let request = context.begin("map") { maker.initialization($0, wanted.address) }
        map.begin(wanted, request, at: context.now, within: progress.playlist.timeline.patience(context.settings))
    }

    /// Returns the hinted data of the next part, if they have arrived and can be opened.
    mutating func consumePart(
        _ slot: SegmentTimeline.Slot,
        of playlist: String,
        for intake: StreamIntake,
        keyring: Keyring,
        _ context: inout StepContext
    ) -> ReceivedMedia? {
        guard part.hint != nil else { return nil }
        let isReady = slot.map.map(intake.content.has) ?? true && (slot.key?.url).map(keyring.holds) ?? true
        let isMeant = part.isMeant(slot)
        return part.consume("next part", isMeant: isMeant, isReady: isReady, of: playlist, &context)
    }

    /// Returns the hinted data of the initialization section that a segment needs, if they have arrived and can be
    /// opened.
    mutating func consumeMap(
        neededBy slot: SegmentTimeline.Slot,
        of playlist: String,
        for intake: StreamIntake,
        keyring: Keyring,
        _ context: inout StepContext
    ) -> (media: ReceivedMedia, address: MapAddress)? {
        guard map.hint != nil, let address = slot.map, !intake.content.has(address) else { return nil }
        let isReady = (slot.mapKey?.url).map(keyring.holds) ?? true
        let isMeant = map.isMeant(address)
        let what = "initialization section"
        let came = map.consume(what, isMeant: isMeant, isReady: isReady, of: playlist, &context)
        return came.map { ($0, address) }
    }

    mutating func stop(_ context: inout StepContext) {
        part.stop(&context)
        map.stop(&context)
    }
}
