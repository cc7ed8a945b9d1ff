internal import SegueBase

extension LinkProfile {
    /// A time range in a run, optionally repeated.
    package struct Spell: Sendable, Equatable {
        /// The beginning, since the run began.
        package var start: Duration

        package var length: Duration

        /// The period of repetition, longer than ``length``; nil for none.
        package var period: Duration?

        package init(start: Duration, length: Duration, period: Duration? = nil) {
            self.start = start
            self.length = length
            self.period = period
        }
    }

    /// A change of parameters, for a while or permanently.
    package struct Change: Sendable, Equatable {
        /// The new parameters of a direction; nil for unchanged ones.
        package struct Numbers: Sendable, Equatable {
            /// The rate: constant or unlimited.
            package var rate: Rate?
            package var delay: ClosedRange<Duration>?
            /// The packet loss.
            package var loss: Double?

            package init(rate: Rate? = nil, delay: ClosedRange<Duration>? = nil, loss: Double? = nil) {
                self.rate = rate
                self.delay = delay
                self.loss = loss
            }
        }

        /// The beginning, since the run began.
        package var start: Duration

        /// The duration; nil for a permanent change.
        package var length: Duration?

        /// The period of repetition; nil for none, as for all permanent changes.
        package var period: Duration?

        /// The direction to the client.
        package var down: Numbers

        /// The direction to the server.
        package var up: Numbers

        package init(
            start: Duration,
            length: Duration? = nil,
            period: Duration? = nil,
            down: Numbers = Numbers(),
            up: Numbers = Numbers()
        ) {
            self.start = start
            self.length = length
            self.period = period
            self.down = down
            self.up = up
        }
    }
}

/// A single or repeated time range, in whole nanoseconds.
struct Recurrence: Sendable, Equatable {
    private let start: Int64
    /// `Int64.max` for a permanent one.
    private let length: Int64
    private let period: Int64?

    init(_ spell: LinkProfile.Spell) {
        start = spell.start.wholeNanoseconds
        length = spell.length.wholeNanoseconds
        period = spell.period?.wholeNanoseconds
    }

    init(_ change: LinkProfile.Change) {
        start = change.start.wholeNanoseconds
        length = change.length?.wholeNanoseconds ?? .max
        period = change.length == nil ? nil : change.period?.wholeNanoseconds
    }

    /// Returns whether a time is in the range, and until when that does not change; `Int64.max` for permanently.
    func state(at time: Int64) -> (holds: Bool, until: Int64) {
        guard time >= start else { return (false, start) }
        let turn = period.map { (time - start) / $0 * $0 } ?? 0
        let offset = time - start - turn
        if offset < length { return (true, length == .max ? .max : start + turn + length) }
        return (false, period.map { start + turn + $0 } ?? .max)
    }

    /// The next beginning at or after a time; nil for never.
    func nextBeginning(from time: Int64) -> Int64? {
        guard time > start else { return start }
        guard let period else { return nil }
        return start + (time - start + period - 1) / period * period
    }
}
