package import SegueBase
package import SegueEvents

extension PlaybackSession {
    /// Returns the value of a number, if it is known.
    package func number(_ subject: Condition.NumberSubject, at now: Instant) -> Double? {
        renditions.number(subject, at: now)
    }

    package func word(_ subject: Condition.WordSubject) -> String {
        switch subject {
        case .status: return renditions.player.current?.status.name ?? "none"
        case .timeControl: return renditions.player.timeControl.name
        case .waitingFor: return renditions.player.timeControl.waitingFor
        case .phase: return phase
        case .rendition: return rendition?.rawValue ?? "none"
        case .error: return renditions.loggedError?.description ?? ""
        }
    }

    /// Returns a truth value; nil without an item.
    package func flag(_ subject: Condition.FlagSubject) -> Bool? {
        switch subject {
        case .video: return renditions.player.current?.tracks?.hasVideo
        case .audio: return renditions.player.current?.tracks?.hasAudio
        case .likelyToKeepUp: return renditions.player.current?.isLikelyToKeepUp
        case .bufferEmpty: return renditions.player.current?.isBufferEmpty
        case .bufferFull: return renditions.player.current?.isBufferFull
        case .audible: return renditions.player.trail.isHeard
        case .held: return renditions.player.isHeldByPlatform
        case .finished: return isFinished
        }
    }
}

extension RenditionPlayer {
    fileprivate func number(_ subject: Condition.NumberSubject, at now: Instant) -> Double? {
        switch subject {
        case .position: return player.current.map { _ in player.position(at: now).seconds }
        case .duration: return player.current?.duration?.seconds
        case .buffered:
            return player.current.map { max(0, ($0.bufferedEnd - player.position(at: now)).seconds) }
        case .rate: return player.rate
        case .queue: return Double(player.items.count)
        case .item: return Double(player.current?.id.number ?? 0)
        case .preloaded:
            guard let spare else { return nil }
            return max(0, (spare.bufferedEnd - player.position(at: now)).seconds)
        case .heard: return player.trail.heard(at: now).seconds
        case .played: return player.trail.played(at: now).seconds
        case .time: return now.seconds
        case .stalls: return sum { Double($0.stalls) }
        case .requests: return sum { Double($0.requests) }
        case .segments: return sum { Double($0.segments) }
        case .bytes: return sum { Double($0.bytes) }
        case .watched: return sum { $0.watched.seconds }
        case .downloaded: return sum { $0.downloaded.seconds }
        case .overdue: return sum { Double($0.overdueSegments) }
        case .entries: return Double(loggedItem?.journal.access.count ?? 0)
        case .errors: return Double(loggedItem?.journal.errors.count ?? 0)
        case .code: return loggedError.map { Double($0.code) }
        case .httpStatus: return loggedItem?.journal.errors.last.map { Double($0.status) }
        case .failures: return loggedItem.map { Double(failures(of: $0.id)) } ?? 0
        }
    }
}
