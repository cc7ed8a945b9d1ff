internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// The prefetched segment, which is requested beside the current one and read after it.
extension StreamLoader {
    /// Requests the segment after the current one when the current response has begun, if it needs nothing else.
    mutating func prefetch(keyring: inout Keyring, maker: RequestMaker, ahead: Duration, _ context: inout StepContext) {
        guard context.settings.requesting.prefetch, prefetched.transfer == nil,
            case .segment(progress.next) = request.target, request.transfer?.response != nil,
            progress.next + 1 >= progress.playlist.timeline.first, let slot = progress.segment(progress.next + 1),
            !slot.isGap, slot.map.map(intake.content.has) ?? true, slot.key.map({ keyring.has($0.url) }) ?? true
        else { return }
        var wanted = progress.wanted(slot, number: progress.next + 1)
        // A player that waits for the response to begin reads it.
        wanted.isUnread = !context.settings.requesting.prefetchHolds
        let begun = context.begin("segment") { maker.media($0, wanted, for: intake, ahead: ahead) }
        prefetched.begin(begun, for: .segment(progress.next + 1), at: context.now)
    }

    /// Starts reading the prefetched segment if it is next, and returns whether it is.
    mutating func readPrefetched(
        _ loading: LoadConditions,
        keyring: inout Keyring,
        ahead: Duration,
        _ context: inout StepContext
    ) -> Bool {
        guard let id = prefetched.transferID else { return false }
        // A player that reads one response at a time opens the next segment before it reads this one.
        let holds = context.settings.requesting.prefetchHolds
        guard case .segment(progress.next) = prefetched.target else {
            prefetched.stop(&context)
            return false
        }
        let isComplete = prefetched.handOver(to: &request)
        if holds { prefetch(keyring: &keyring, maker: loading.maker, ahead: ahead, &context) }
        request.setRead(isComplete || !(holds && prefetched.awaitsResponse), &context)
        if isComplete { receive(.finished(id), announced: loading.announced, keyring: keyring, &context) }
        return true
    }
}
