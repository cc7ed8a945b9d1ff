package import SegueBase
package import SegueEvents

extension DrivenSession: SessionUnderTest {
    package var current: String? { items.first?.name }

    /// True if the current item failed.
    package var isFailed: Bool { items.first?.failure != nil }

    package var isInBackground: Bool { phase == Lifecycle.Step.didEnterBackground.rawValue }

    package var isInForeground: Bool { phase == Lifecycle.Step.didBecomeActive.rawValue }

    /// The duration of the current item; nil until it is known, and for an item without an end.
    package var duration: Duration? { items.first?.duration }

    /// True if the current item has audio; nil until it is known.
    package var hasAudio: Bool? { items.first?.hasAudio }

    /// The items in the queue, the current one first.
    package var queue: [ItemID] { items.map(\.id) }

    /// The item that left the queue last.
    package var lastRemoved: ItemID? { removed.last?.id }

    /// Returns the position of the playhead, extrapolated from the last report.
    func position(at now: Instant) -> Duration {
        let (position, at, rate) = place
        let moved = Duration(reckonedNanoseconds: (Double((now - at).wholeNanoseconds) * rate).rounded())
        return duration.map { min($0, position + moved) } ?? position + moved
    }

    /// Returns the instant at which the playhead reaches a position if nothing changes; nil if it does not move.
    package func instant(whenAt target: Duration, at now: Instant) -> Instant? {
        guard !items.isEmpty else { return nil }
        let position = position(at: now)
        if position >= target { return now }
        guard place.rate > 0 else { return nil }
        let length = Double((target - position).wholeNanoseconds) / place.rate
        return now + Duration(reckonedNanoseconds: length.rounded(.up))
    }

    /// Describes the state, for a run that makes no progress.
    package func stateDescription(at now: Instant) -> Message {
        guard let item = items.first else { return "no item, player \(control), app \(phase)" }
        let length: Message = item.duration.map { "\($0.seconds, places: 6)" } ?? "?"
        return "\(value: item.name) \(status(of: item)) at \(position(at: now).seconds, places: 6) of \(length) s"
            + (item.failure.map { ", \(quoting: $0.message)" } ?? "") + ", player \(control), app \(phase)"
    }

    // MARK: Subjects of conditions

    /// The item whose errors count: the current one, or the last one.
    private var told: Item? { items.first ?? removed.last }

    /// Returns the value of a number, if it is known.
    package func number(_ subject: Condition.NumberSubject, at now: Instant) -> Double? {
        switch subject {
        case .position: items.isEmpty ? nil : position(at: now).seconds
        case .duration: duration?.seconds
        case .buffered: buffered?.seconds
        case .rate: control == "paused" ? 0 : wishedRate
        case .queue: Double(items.count)
        case .item: Double(items.first?.id.number ?? 0)
        case .heard: trail.heard(at: now).seconds
        case .played: trail.played(at: now).seconds
        case .time: now.seconds
        case .stalls: told.map { Double($0.stalls) } ?? 0
        case .errors: told.map { Double($0.errors) } ?? 0
        case .code: told?.failure.map { Double($0.code) }
        case .httpStatus: told?.httpStatus.map(Double.init)
        case .failures: told?.failure == nil ? 0 : 1
        case .preloaded, .requests, .segments, .bytes, .watched, .downloaded, .overdue, .entries: nil
        }
    }

    package func precision(of subject: Condition.NumberSubject) -> Duration {
        switch subject {
        case .position, .buffered, .heard, .played, .duration: Self.precision
        default: .zero
        }
    }

    /// Returns whether the driver does not report a number.
    package func isUnreported(_ subject: Condition.NumberSubject) -> Bool {
        switch subject {
        case .preloaded, .requests, .segments, .bytes, .watched, .downloaded, .overdue, .entries: true
        case .buffered: buffered == nil
        // Players have their own error codes, and few report the server's.
        case .httpStatus: told?.httpStatus == nil
        case .code: true
        // Few players report errors that ended nothing.
        case .errors: true
        default: false
        }
    }

    /// Returns whether the driver does not report a truth value.
    package func isUnreported(_ subject: Condition.FlagSubject) -> Bool {
        switch subject {
        case .likelyToKeepUp: isLikelyToKeepUp == nil
        case .bufferEmpty: isBufferEmpty == nil
        case .bufferFull: isBufferFull == nil
        default: false
        }
    }

    /// Returns whether the value of a word is specific to each player.
    ///
    /// A failure can be expected, but not its name.
    package func isUnreported(_ subject: Condition.WordSubject) -> Bool { subject == .error && told?.failure != nil }

    /// Returns whether events are entries of logs that only AVFoundation has.
    package func isUnreported(_ match: EventMatch) -> Bool {
        match.kind == "error.logEntry" || match.kind == "access.logEntry"
    }

    package var isUnavailable: Bool { false }

    package var grace: Duration { Self.grace }

    package var continuesAfterMisses: Bool { true }

    private func status(of item: Item) -> String {
        item.failure != nil ? "failed" : item.isReady ? "readyToPlay" : "unknown"
    }

    package func word(_ subject: Condition.WordSubject) -> String {
        switch subject {
        case .status: items.first.map(status) ?? "none"
        case .timeControl: control
        case .waitingFor: waitingFor
        case .phase: phase
        case .rendition: items.first?.rendition.rawValue ?? "none"
        case .error: told?.failure?.message ?? ""
        }
    }

    /// Returns a truth value; nil without an item, and if the driver does not report it.
    package func flag(_ subject: Condition.FlagSubject) -> Bool? {
        switch subject {
        case .video: items.first?.hasVideo
        case .audio: items.first?.hasAudio
        case .likelyToKeepUp: isLikelyToKeepUp
        case .bufferEmpty: isBufferEmpty
        case .bufferFull: isBufferFull
        case .audible: trail.isHeard
        case .held: isHeld
        case .finished: isFinished
        }
    }
}
