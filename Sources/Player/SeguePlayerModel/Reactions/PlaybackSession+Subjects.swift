package import SegueBase
package import SegueEvents

extension PlaybackSession {
    /// Returns the value of a number, if it is known.
    package func number(_ subject: Condition.NumberSubject, at now: Instant) -> Double? {
        switch subject {
        case .position: return renditions.player.current.map { _ in position(at: now).seconds }
        case .duration: return duration?.seconds
        case .buffered:
            return renditions.player.current.map { max(0, ($0.bufferedEnd - position(at: now)).seconds) }
        case .rate: return renditions.player.rate
        case .queue: return Double(renditions.player.items.count)
        case .item: return Double(renditions.player.current?.id.number ?? 0)
        case .preloaded:
            guard let spare = renditions.spare else { return nil }
            return max(0, (spare.bufferedEnd - position(at: now)).seconds)
        case .heard: return heard(at: now).seconds
        case .played: return played(at: now).seconds
        case .time: return now.seconds
        case .stalls: return renditions.sum { Double($0.stalls) }
        case .requests: return renditions.sum { Double($0.requests) }
        case .segments: return renditions.sum { Double($0.segments) }
        case .bytes: return renditions.sum { Double($0.bytes) }
        case .watched: return renditions.sum { $0.watched.seconds }
        case .downloaded: return renditions.sum { $0.downloaded.seconds }
        case .overdue: return renditions.sum { Double($0.overdueSegments) }
        case .entries: return Double(renditions.loggedItem?.journal.access.count ?? 0)
        case .errors: return Double(renditions.loggedItem?.journal.errors.count ?? 0)
        case .code: return renditions.loggedError.map { Double($0.code) }
        case .httpStatus: return renditions.loggedItem?.journal.errors.last.map { Double($0.status) }
        case .failures: return renditions.loggedItem.map { Double(renditions.failures(of: $0.id)) } ?? 0
        }
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
