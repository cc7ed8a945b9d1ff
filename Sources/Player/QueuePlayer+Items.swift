internal import Events
internal import Timeline

/// Items that come and go.
extension QueuePlayer {
    mutating func removeCurrent(reason: String, follows: Bool, at now: Instant) {
        stopClock(at: now, reason: reason)
        endSeek(isFinished: false)
        var item = items.removeFirst()
        retire(&item, because: .removal, reason: reason, at: now)
        becameCurrent(at: now, follows: follows)
        if items.isEmpty { turn.log(.queueEmptied(reason: reason)) }
    }

    /// Lets go of an item that has left the queue.
    mutating func retire(
        _ item: inout PlayerItem,
        because cause: AccessLogEntry.Reason,
        reason: String,
        at now: Instant
    ) {
        item.stop(&turn)
        item.close(cause, &turn)
        turn.log(.queueRemoved(item: item.id.description, reason: reason))
        removed.append(item)
    }

    /// The first item of the queue, if there is one, is now the current one.
    mutating func becameCurrent(at now: Instant, follows: Bool) {
        gate = .closed
        self.follows = follows
        isHeldByPlatform = false
        isImmediate = false
        isStalling = false
        turn.notify(.currentItem(current?.id))
        if let current { turn.log(.queueCurrent(item: current.id.description)) }
    }

    mutating func fail(_ index: Int, _ error: PlaybackError, at now: Instant) {
        guard !items[index].isFailed else { return }
        if index == 0 {
            stopClock(at: now, reason: "failed")
            endSeek(isFinished: false)
        }
        let item = items[index]
        items[index].status = .failed(error)
        items[index].stop(&turn)
        turn.log(
            .itemFailed(
                item: item.id.description,
                domain: error.domain.rawValue,
                code: error.code,
                message: error.message
            )
        )
        turn.notify(.itemFailed(item.id))
        if item.hasBegun {
            turn.log(.itemFailedToPlayToEnd(item: item.id.description, message: error.message))
            turn.notify(.itemFailedToPlayToEnd(item.id))
        }
        items[index].close(.failure, &turn)
    }
}
