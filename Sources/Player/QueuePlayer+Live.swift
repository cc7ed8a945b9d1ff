internal import Events
internal import Timeline

/// What items that may grow, and items that change between variants, want of their player.
extension QueuePlayer {
    /// Another variant is loaded from now on: the access log goes on in a new entry.
    mutating func noteChange(_ index: Int, at now: Instant) {
        guard items[index].client.variantChanges != items[index].notedChanges else { return }
        let item = items[index]
        items[index].notedChanges = item.client.variantChanges
        let url = item.client.playlistURL
        if index == 0 { noteWatched(at: now) }
        if let left = item.client.leftVariant {
            // Where playing has not begun yet, the entry does not know what it is about.
            items[index].journal.update(uri: left.url, at: now) { entry in
                guard entry.indicatedBitrate == 0 else { return }
                (entry.uri, entry.indicatedBitrate) = left
            }
        }
        items[index].close(.variantSwitch, &turn)
        let indicated = item.client.indicatedBitrate
        items[index].journal.update(uri: url, at: now) { $0.indicatedBitrate = indicated }
    }

    /// Has the current item's access log count what was watched until now.
    mutating func noteWatched(at now: Instant) {
        guard let clock, !items.isEmpty else { return }
        let position = position(at: now)
        let from = items[0].watchedFrom ?? clock.position
        items[0].journal.update(uri: items[0].client.playlistURL, at: now) {
            $0.watched += max(.zero, position - from)
        }
        items[0].watchedFrom = position
    }

    /// Takes in how long an item is, which an item that may grow tells at its end.
    mutating func learnDuration(_ index: Int) {
        guard items[index].duration == nil, let duration = items[index].client.duration else { return }
        items[index].duration = duration
        items[index].position = min(items[index].position, duration)
        guard items[index].status == .readyToPlay else { return }
        turn.log(.itemDurationKnown(item: items[index].id.description, duration: duration.seconds))
    }

    /// Moves a playhead whose media have left the playlist to where there are some.
    ///
    /// - Returns: Whether it was moved.
    mutating func leapForward(_ index: Int, at now: Instant) -> Bool {
        if let landing = items[index].seek?.landing,
            let later = items[index].client.displacement(from: landing), later > landing
        {
            // The seek took so long that what it was sent to is gone.
            items[index].seek?.landing = later
            items[index].move(to: later, &turn)
            return true
        }
        guard items[index].seek == nil, index != 0 || clock == nil,
            let landing = items[index].client.displacement(from: items[index].position),
            landing > items[index].position
        else { return false }
        let item = items[index]
        let lost = (landing - item.position).seconds
        let error = PlaybackError(
            .lost,
            "the playlist no longer has what was to be played next: \(lost) s are left out"
        )
        items[index].record(error, &turn)
        items[index].position = landing
        items[index].move(to: landing, &turn)
        turn.log(.itemTimeJumped(item: item.id.description, position: landing.seconds))
        turn.notify(.itemTimeJumped(item.id))
        return true
    }
}
