internal import SegueBase
package import SegueEvents

/// The behavior that a run covered: the events in each state, their order, and the time between them.
package struct Footprint: Sendable {
    /// The covered behaviors, as numbers.
    package private(set) var features: Set<UInt64> = []

    /// The times of the first events.
    package private(set) var moments: [Duration] = []

    private static let mostMoments = 96

    private var phase: UInt64 = 0
    private var control: UInt64 = 0
    private var last: [(sign: UInt64, at: Instant)] = []

    /// The footprint of a run.
    package init(_ log: EventLog) {
        for event in log.events { add(event) }
    }

    private mutating func add(_ event: Event) {
        guard let sign = event.kind.sign else { return }
        if moments.count < Self.mostMoments { moments.append(event.at - .zero) }
        if case .platformLifecycle = event.kind { phase = sign }
        if case .playerTimeControl = event.kind { control = sign }
        features.insert(mixed(1, sign, phase, control))
        for (distance, before) in last.enumerated() {
            let milliseconds = UInt64(max(0, (event.at - before.at) / .milliseconds(1)))
            let scale = UInt64(64 - milliseconds.leadingZeroBitCount) / 2
            features.insert(mixed(UInt64(2 + distance), before.sign, sign, scale))
        }
        last.append((sign, event.at))
        if last.count > 2 { last.removeFirst() }
    }

    private func mixed(_ values: UInt64...) -> UInt64 {
        values.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ $1) &* 0x0000_0100_0000_01B3 ^ ($0 >> 29) }
    }
}

extension EventKind {
    /// A number for a kind of event, regardless of its object; nil for frequent events.
    fileprivate var sign: UInt64? {
        switch self {
        case .stepBegan(_, let step): 1 &+ text(step.prefix { !$0.isNumber })
        case .platformLifecycle(let phase): 2 &+ text(phase[...])
        case .platformPaused: 3
        case .platformRejected: 4
        case .platformRoute(let route, _): 5 &+ text(route[...])
        case .platformRemoteCommand(let command, let sender): 43 &+ text(command[...]) &+ text(sender[...])
        case .appException: 6
        case .appDecided(_, let decision, _): 26 &+ text(decision[...])
        case .backgroundTaskBegan: 7
        case .backgroundTaskEnded: 8
        case .backgroundTaskExpired: 9
        case .playerCommand(let name, _): 10 &+ text(name[...])
        case .playerRate(let rate, _): rate == 0 ? 11 : rate == 1 ? 12 : 13
        case .playerTimeControl(let status, let reason): 14 &+ text(status[...]) &+ text(reason[...])
        case .queueInserted: 15
        case .queueRefused: 16
        case .queueCurrent(let item): item.isEmpty ? 17 : 18
        case .queueEmptied: 19
        case .itemReadyToPlay: 20
        case .itemFailed(_, let domain, _, _): 21 &+ text(domain[...])
        case .itemPlayedToEnd: 22
        case .itemFailedToPlayToEnd: 23
        case .itemStalled: 24
        case .itemTimeJumped: 25
        case .bufferLikelyToKeepUp(_, let isLikely): isLikely ? 27 : 28
        case .bufferFull(_, let isFull): isFull ? 29 : 30
        case .seekBegan: 31
        case .seekEnded(_, _, let isFinished): isFinished ? 32 : 33
        case .soundBegan: 34
        case .soundEnded: 35
        case .playlistLoaded: 36
        case .requestFailed(_, let reason, _): 37 &+ text(reason[...])
        case .linkChanged: 38
        case .platformOutput(let isAudible, _): isAudible ? 39 : 40
        case .appMisdeclared(_, let key, _, _): 41 &+ text(key[...])
        case .appTerminated(let cause, _): 42 &+ text(cause[...])
        default: nil
        }
    }

    private func text(_ text: Substring) -> UInt64 {
        text.utf8.reduce(0) { ($0 &* 31 &+ UInt64($1)) } &* 64
    }
}
