internal import SegueBase
internal import SeguePlaylists

/// Hinted resources that the playlist now contains.
extension StreamLoader {
    /// Uses the hinted data for a segment or part and its initialization section, and returns whether it is loaded.
    mutating func consumeHints(
        _ slot: SegmentTimeline.Slot,
        for loading: LoadConditions,
        keyring: Keyring,
        _ context: inout StepContext
    ) -> Bool {
        guard request.transfer == nil else { return false }
        let means = MediaOpening(announced: loading.announced, keyring: keyring)
        let url = progress.playlist.url
        if let (media, address) = hints.consumeMap(neededBy: slot, of: url, for: intake, keyring: keyring, &context) {
            context.note(answer: media)
            do throws(PlaybackError) {
                let bytes = try intake.content.openInitialization(at: address, key: slot.mapKey, of: media, means)
                context.deliver(bytes, of: media, in: role, as: .map)
            } catch {
                // A request by its address would return the same.
                failure = error
                context.record(error, uri: url)
            }
        }
        let part = slot.isGap ? nil : hints.consumePart(slot, of: url, for: intake, keyring: keyring, &context)
        guard let part else { return false }
        finishPart(slot, of: part, with: means, &context)
        return true
    }
}
