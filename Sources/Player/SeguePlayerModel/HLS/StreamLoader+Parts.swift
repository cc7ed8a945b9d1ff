internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Parts, and hinted parts.
extension StreamLoader {
    /// Requests the hinted part that is next.
    mutating func followHint(_ maker: RequestMaker, _ context: inout StepContext) {
        let offered = hints.part.isTrusted ? progress.hintedPart : nil
        guard let wanted = hints.part.change(to: offered, &context) else { return }
        let request = context.begin("part") { maker.hint($0, wanted, stream: self) }
        hints.part.begin(
            wanted,
            request,
            at: context.now,
            within: progress.playlist.timeline.patience(context.settings)
        )
    }

    /// Uses the hinted data for the next part, and returns whether it is loaded.
    mutating func consumeHint(
        _ slot: SegmentTimeline.Slot,
        announced: AnnouncedCodecs,
        keyring: Keyring,
        _ context: inout StepContext
    ) -> Bool {
        guard hints.part.hint != nil, request.transfer == nil else { return false }
        guard hints.part.isMeant(slot) else {
            let error = PlaybackError(.changed, "the next part is not the hinted one: \(progress.playlist.url)")
            hints.part.fail(error, of: progress.playlist.url, &context)
            return false
        }
        guard slot.map.map(content.has) ?? true, (slot.key?.url).map(keyring.holds) ?? true,
            let came = hints.part.consume()
        else { return false }
        finishPart(slot, of: came, announced: announced, keyring: keyring, &context)
        return true
    }

    /// Decrypts, inspects, and delivers a complete part.
    ///
    /// An unreadable part is loaded with its segment.
    mutating func finishPart(
        _ slot: SegmentTimeline.Slot,
        of received: ReceivedMedia,
        announced: AnnouncedCodecs,
        keyring: Keyring,
        _ context: inout StepContext
    ) {
        let (bytes, url) = (received.bytes, received.transfer.url)
        let opened: FetchBytes
        do throws(PlaybackError) {
            opened = try content.openSegment(slot, bytes, announced: announced, keyring: keyring, url: url)
        } catch {
            context.record(error, uri: url)
            return progress.giveUpParts()
        }
        measure(slot, of: received, &context)
        context.deliver(opened, of: received, in: role, as: .segment(slot, number: progress.next))
        context.log(slot, number: progress.next, of: received, in: role)
        progress.place(slot)
        arrivals += 1
    }
}
