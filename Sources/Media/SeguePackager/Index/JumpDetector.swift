internal import SegueBase

/// A detector of timestamp jumps that puts all streams on one continuous timeline.
///
/// A jump backward, or forward beyond what the container allows, starts a new epoch unless another stream is already
/// there: then the stream only had a gap. The first stream to jump sets the offset; the others follow when they jump.
/// If a stream returns after a few packets, those packets are outliers. Sums wrap around, because damaged timestamps
/// can have any value.
struct JumpDetector {
    /// The backward step tolerated without a jump, in seconds.
    private static let backward = Rational(1)
    /// The maximum distance between streams at the same position, in seconds.
    private static let nearness = Rational(10)
    /// The maximum number of consecutive outliers.
    private static let mostStrays = 8

    private let forward: Rational
    private var shifts: [Rational] = [.zero]
    /// The state by stream index; nil before the stream's first packet.
    private var states: [State?] = []

    private struct State {
        let timeBase: Rational
        /// The range of steps, in ticks, that are not jumps.
        let steps: ClosedRange<Int64>
        var epoch = 0
        var shiftTicks: Int64 = 0
        var expected: Int64?
        /// The last placed time.
        var placed: Int64 = 0
        /// The position before a recent step of a second or more.
        var detour: Detour?

        var seconds: Rational { Rational(placed) * timeBase }

        /// True if a packet with this lateness does not continue the stream.
        func isElsewhere(_ late: Int64) -> Bool { late < steps.lowerBound || late > -steps.lowerBound }

        /// Ends a detour if a time continues the position before it, and returns the detour's packets.
        mutating func comeBack(_ raw: Int64) -> Int {
            guard let past = detour, !isElsewhere(raw &+ past.shiftTicks &- past.expected) else { return 0 }
            (epoch, shiftTicks, expected, detour) = (past.epoch, past.shiftTicks, nil, nil)
            return past.packets
        }

        /// Counts a packet of a detour, and ends a long detour.
        mutating func goOn() {
            detour?.packets += 1
            if let packets = detour?.packets, packets > JumpDetector.mostStrays { detour = nil }
        }
    }

    /// The position to which a stream returns after outliers.
    private struct Detour {
        var epoch: Int
        var shiftTicks: Int64
        var expected: Int64
        /// The number of packets since then.
        var packets = 0
    }

    /// Creates a detector; forward jumps are allowed in broadcast formats.
    init(allowsForwardJumps: Bool) { forward = Rational(allowsForwardJumps ? 10 : 600) }

    /// Returns the packet's times on the continuous timeline, and the number of outliers directly before it.
    ///
    /// Hidden packets lie before the displayed ones without a jump.
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

    /// True if another stream is already near a time, so that the step was a gap.
    private func isGap(before there: Rational) -> Bool {
        states.contains { $0.map { $0.seconds > there - JumpDetector.nearness } ?? false }
    }

    /// Places a stream that starts after a jump in the epoch of the others.
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
