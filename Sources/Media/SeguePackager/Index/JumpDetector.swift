internal import SegueBase

/// Finds real jumps in a source's timestamps, and puts all its streams on one timeline without them.
///
/// A stream that jumps backwards, or forwards by more than the container's nature explains, starts a new epoch, unless
/// another stream is there already: then it only had nothing to say for a while. The first stream to jump sets the
/// shift; the others follow when they jump too. A stream that is back where it was after a few packets has not jumped:
/// the times of those packets are wrong. Sums wrap around: damaged timestamps may be of any size.
struct JumpDetector {
    /// How far back, in seconds, a stream may go without having jumped.
    private static let backward = Rational(1)
    /// How far apart, in seconds, streams may lie that are at the same place.
    private static let nearness = Rational(10)
    /// The number of packets in a row may have wrong times.
    private static let mostStrays = 8

    private let forward: Rational
    private var shifts: [Rational] = [.zero]
    /// By the number of the stream; nil for those that have had nothing to say.
    private var states: [State?] = []

    private struct State {
        let timeBase: Rational
        /// The minimum and the maximum step, in ticks, that is no jump.
        let steps: ClosedRange<Int64>
        var epoch = 0
        var shiftTicks: Int64 = 0
        var expected: Int64?
        /// The last time that was placed.
        var placed: Int64 = 0
        /// Where the stream was before it went elsewhere by a second or more, not long ago.
        var detour: Detour?

        var seconds: Rational { Rational(placed) * timeBase }

        /// True if a packet that is so much later than expected is not where the stream was.
        func isElsewhere(_ late: Int64) -> Bool { late < steps.lowerBound || late > -steps.lowerBound }

        /// Goes back to where the stream was before a detour, if a time is from there; the packets of the detour.
        mutating func comeBack(_ raw: Int64) -> Int {
            guard let past = detour, !isElsewhere(raw &+ past.shiftTicks &- past.expected) else { return 0 }
            (epoch, shiftTicks, expected, detour) = (past.epoch, past.shiftTicks, nil, nil)
            return past.packets
        }

        /// Counts a packet of a detour, and forgets where it began when it has become long.
        mutating func goOn() {
            detour?.packets += 1
            if let packets = detour?.packets, packets > JumpDetector.mostStrays { detour = nil }
        }
    }

    /// What a stream comes back to where it has not jumped.
    private struct Detour {
        var epoch: Int
        var shiftTicks: Int64
        var expected: Int64
        /// The packets since then.
        var packets = 0
    }

    /// A detector for a container.
    ///
    /// - Parameter allowsForwardJumps: True if timestamps jump by design there, as in broadcast streams.
    init(allowsForwardJumps: Bool) { forward = Rational(allowsForwardJumps ? 10 : 600) }

    /// The packet's times on the one timeline, and how many packets of the stream right before it have wrong ones.
    ///
    /// One that is hidden, decoded for others only, lies before these, wherever the stream was: it has not jumped.
    mutating func place(
        pts: Int64?,
        dts: Int64?,
        duration: Int64,
        stream: Int,
        timeBase: Rational,
        isHidden: Bool = false
    ) -> (pts: Int64, dts: Int64, epoch: Int32, strays: Int) {
        while states.count <= stream { states.append(nil) }
        if isHidden, dts != nil || pts != nil {
            let (shift, epoch) = states[stream].map { ($0.shiftTicks, $0.epoch) } ?? (0, 0)
            let moved = { (time: Int64?) in time.map { $0 &+ shift } ?? IndexedPacket.unknown }
            return (moved(pts), moved(dts), Int32(epoch), 0)
        }
        var state = states[stream] ?? newState(timeBase)
        states[stream] = nil
        defer { states[stream] = state }
        guard let raw = dts ?? pts else {
            return (IndexedPacket.unknown, IndexedPacket.unknown, Int32(state.epoch), 0)
        }
        var strays = 0
        if let expected = state.expected {
            let late = raw &+ state.shiftTicks &- expected
            if state.isElsewhere(late) {
                strays = state.comeBack(raw)
                if strays == 0, state.detour == nil {
                    state.detour = Detour(epoch: state.epoch, shiftTicks: state.shiftTicks, expected: expected)
                }
            }
            if strays == 0, !state.steps.contains(late),
                late < 0 || !isGap(before: Rational(raw &+ state.shiftTicks) * timeBase)
            {
                follow(&state, raw: raw, expected: expected, timeBase: timeBase)
            }
        } else {
            join(&state, raw: raw, timeBase: timeBase)
        }
        let placed = raw &+ state.shiftTicks
        state.expected = max(state.expected ?? placed, placed &+ duration)
        state.placed = placed
        state.goOn()
        return (
            pts.map { $0 &+ state.shiftTicks } ?? IndexedPacket.unknown,
            dts.map { $0 &+ state.shiftTicks } ?? IndexedPacket.unknown, Int32(state.epoch), strays
        )
    }

    private func newState(_ timeBase: Rational) -> State {
        let most = { (seconds: Rational) in (seconds / timeBase).floored() }
        return State(timeBase: timeBase, steps: -most(JumpDetector.backward)...most(forward))
    }

    /// True if another stream is near a time already, so that one that comes there had nothing to say for a while.
    private func isGap(before there: Rational) -> Bool {
        states.contains { $0.map { $0.seconds > there - JumpDetector.nearness } ?? false }
    }

    /// Lets a stream that begins after a jump begin in the epoch of the others.
    private func join(_ state: inout State, raw: Int64, timeBase: Rational) {
        guard shifts.count > 1, let here = states.compactMap({ $0?.seconds }).max() else { return }
        for epoch in shifts.indices.reversed() {
            let ticks = (shifts[epoch] / timeBase).rounded(scale: 1)
            let off = Rational(raw &+ ticks) * timeBase - here
            guard off.magnitude < JumpDetector.nearness else { continue }
            (state.epoch, state.shiftTicks) = (epoch, ticks)
            return
        }
    }

    private mutating func follow(_ state: inout State, raw: Int64, expected: Int64, timeBase: Rational) {
        for epoch in (state.epoch + 1)..<max(shifts.count, state.epoch + 1) {
            let ticks = (shifts[epoch] / timeBase).rounded(scale: 1)
            let off = Rational(raw &+ ticks &- expected) * timeBase
            if off.magnitude < Rational(3) {
                (state.epoch, state.shiftTicks) = (epoch, ticks)
                state.expected = nil
                return
            }
        }
        state.shiftTicks = expected &- raw
        shifts.append(Rational(state.shiftTicks) * timeBase)
        state.epoch = shifts.count - 1
        state.expected = nil
    }
}
