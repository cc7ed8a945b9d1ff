internal import SegueBase
package import SegueEvents

extension CaseMetrics {
    /// Adds the metrics that follow from a log.
    ///
    /// Its findings do not count as errors.
    package mutating func add(_ log: EventLog) {
        var (errors, requests, slowest) = (0, 0, nil as Duration?)
        var (bytes, media) = (0, 0.0)
        var open: [Int: Instant] = [:]
        var audio = AudibleTimes()
        for event in log.events {
            switch event.kind {
            case .requestBegan(let request, _, _):
                requests += 1
                open[request] = event.at
            case .requestAnswered(let request, _):
                guard let began = open.removeValue(forKey: request) else { continue }
                slowest = max(slowest ?? .zero, event.at - began)
            case .segmentLoaded(_, _, _, let count, _, let duration, _):
                bytes += count
                media += duration
            case .originMeasured(_, let seconds, _): serverSeconds = max(serverSeconds ?? 0, seconds)
            case .finding: continue
            case .soundBegan: audio.began(at: event.at)
            case .soundEnded: audio.ended(at: event.at)
            default: break
            }
            if event.kind.declaration.level == .error { errors += 1 }
        }
        (self.errors, self.requests) = (errors, requests)
        firstByteSeconds = slowest?.seconds
        bitrate = media > 0 ? (Double(bytes) * 8 / media).rounded() : nil
        silenceSeconds = audio.silence?.seconds
    }
}

/// The times of audio output.
private struct AudibleTimes {
    private var playing = 0
    private var lastEnd: Instant?
    /// The silence between the first audio and the beginning of the last; nil without audio.
    private(set) var silence: Duration?

    mutating func began(at now: Instant) {
        if playing == 0 { silence = (silence ?? .zero) + (lastEnd.map { now - $0 } ?? .zero) }
        playing += 1
    }

    mutating func ended(at now: Instant) {
        playing = max(0, playing - 1)
        lastEnd = now
    }
}
