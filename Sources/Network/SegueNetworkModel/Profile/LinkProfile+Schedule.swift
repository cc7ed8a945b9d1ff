internal import SegueBase

extension LinkProfile {
    /// A time in a run, perhaps again and again.
    package struct Spell: Sendable, Equatable {
        /// When it begins, since the run began.
        package var start: Duration

        /// How long it is.
        package var length: Duration

        /// After how long, longer than ``length``, it begins again; nil for never.
        package var period: Duration?

        /// A time in a run.
        package init(start: Duration, length: Duration, period: Duration? = nil) {
            self.start = start
            self.length = length
            self.period = period
        }
    }

    /// Numbers of a network that change for a while, or for good.
    package struct Change: Sendable, Equatable {
        /// What becomes of a direction; nil where it stays.
        package struct Numbers: Sendable, Equatable {
            /// The rate: constant, or none.
            package var rate: Rate?
            /// The delay.
            package var delay: ClosedRange<Duration>?
            /// The share of packets that is lost.
            package var loss: Double?

            /// Numbers that change.
            package init(rate: Rate? = nil, delay: ClosedRange<Duration>? = nil, loss: Double? = nil) {
                self.rate = rate
                self.delay = delay
                self.loss = loss
            }
        }

        /// When it begins, since the run began.
        package var start: Duration

        /// How long it holds; nil for good.
        package var length: Duration?

        /// After how long it begins again; nil for never, as for all that hold for good.
        package var period: Duration?

        /// Towards the client.
        package var down: Numbers

        /// Towards the server.
        package var up: Numbers

        /// A change.
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

/// When something holds that comes once or again and again, in whole nanoseconds.
struct Recurrence: Sendable, Equatable {
    private let start: Int64
    /// `Int64.max` for good.
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

    /// Whether it holds at a time, and until when it is so; `Int64.max` for good.
    func state(at time: Int64) -> (holds: Bool, until: Int64) {
        guard time >= start else { return (false, start) }
        let turn = period.map { (time - start) / $0 * $0 } ?? 0
        let offset = time - start - turn
        if offset < length { return (true, length == .max ? .max : start + turn + length) }
        return (false, period.map { start + turn + $0 } ?? .max)
    }

    /// When it begins next, at a time or after it; nil for never.
    func nextBeginning(from time: Int64) -> Int64? {
        guard time > start else { return start }
        guard let period else { return nil }
        return start + (time - start + period - 1) / period * period
    }
}
