internal import Timeline

extension HLSClient {
    /// Whether playing from a position at a rate is likely to go on without a stall.
    ///
    /// It is when everything is loaded, or all that a live playlist names so far; when enough is buffered; when media
    /// load faster than they play and the next segment comes before the buffer ends; or when what is buffered makes up
    /// for the slower loading of all the rest.
    func isLikelyToKeepUp(from position: Duration, rate: Double, at now: Instant) -> Bool {
        guard isStreaming else { return false }
        let ahead = bufferedEnd(from: position) - position
        guard ahead > .zero else { return false }
        // Where nothing more will come, there is nothing to wait for.
        if isLoadedToEnd || isResting || failure != nil || ahead >= settings.keepUpEnough { return true }
        guard ahead >= settings.keepUpLeast else { return false }
        return streams.indices.allSatisfy { index in
            guard streams[index].standing == .needed, !streams[index].isLoadedToEnd, streams[index].hasNext else {
                return true
            }
            guard let loading = streams[index].speed.mediaPerSecond else { return false }
            let underway = streams[index].transfer.map { now - $0.began } ?? .zero
            let waitForNext = streams[index].nextDuration.seconds / loading - underway.seconds
            let lasts = ahead.seconds / max(rate, 0.01)
            guard lasts >= waitForNext else { return false }
            let speed = loading / max(rate, 0.01)
            if speed >= settings.keepUpMargin { return true }
            return duration.map { ahead.seconds >= ($0 - position).seconds * (1 - speed) } ?? false
        }
    }
}
