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
        if items.isEmpty { output.log(.queueEmptied(reason: reason)) }
    }

    /// Lets go of an item that has left the queue.
    mutating func retire(
        _ item: inout PlayerItem,
        because cause: AccessLogEntry.Reason,
        reason: String,
        at now: Instant
    ) {
        item.client.stop(at: item.position, output: &output)
        item.journal.close(cause, item: item.id, output: &output)
        output.log(.queueRemoved(item: item.id.description, reason: reason))
        removed.append(item)
    }

    /// The first item of the queue, if there is one, is now the current one.
    mutating func becameCurrent(at now: Instant, follows: Bool) {
        gate = .closed
        self.follows = follows
        isHeldByPlatform = false
        isImmediate = false
        isStalling = false
        output.notify(.currentItem(current?.id))
        if let current { output.log(.queueCurrent(item: current.id.description)) }
    }

    mutating func fail(_ index: Int, _ error: PlaybackError, at now: Instant) {
        guard !items[index].isFailed else { return }
        if index == 0 {
            stopClock(at: now, reason: "failed")
            endSeek(isFinished: false)
        }
        let item = items[index]
        items[index].status = .failed(error)
        items[index].client.stop(at: item.position, output: &output)
        output.log(
            .itemFailed(
                item: item.id.description,
                domain: error.domain.rawValue,
                code: error.code,
                message: error.message
            )
        )
        output.notify(.itemFailed(item.id))
        if item.hasBegun {
            output.log(.itemFailedToPlayToEnd(item: item.id.description, message: error.message))
            output.notify(.itemFailedToPlayToEnd(item.id))
        }
        items[index].journal.close(.failure, item: item.id, output: &output)
    }
}
