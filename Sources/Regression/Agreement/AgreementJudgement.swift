internal import Timeline

package import Events

/// How a run in real time compares with virtual time, and whether a difference says anything.
///
/// Players decide by thresholds: a variant by what was measured, slow start's end by how long acknowledgements take,
/// whether it keeps up by whether a second is left in the buffer. Where a run lies on one, a moment more or less changes
/// all that follows, and no model can say which of the two a machine will show. So where real time differs, virtual time
/// is asked again with what a machine has and virtual time has not: timers that are a little late, and a server that takes
/// a little longer or shorter. A case lies on a threshold where virtual time then differs from itself, and one of its runs
/// agrees with real time whole, by the same bound.
package struct AgreementJudgement: Sendable {
    /// What a case is found to be.
    package enum Verdict: String, Sendable {
        /// Real time is what virtual time says.
        case agrees
        /// Virtual time says either, by a moment of the server's, and real time is one of them.
        case threshold
        /// Real time is not what virtual time says.
        case differs
    }

    /// What a run in virtual time is made with.
    package struct Moment: Sendable, Equatable {
        /// How much longer than measured the server takes for a request; below zero where it takes less.
        package let shift: Duration
        /// How late the script is.
        package let lateness: Duration

        package init(shift: Duration, lateness: Duration) { (self.shift, self.lateness) = (shift, lateness) }
    }

    /// By how much the server may take longer or shorter at the most: less than a machine's own reaction times add up to.
    package static let greatestShift = Duration.milliseconds(1)

    /// How late a machine's timers are at the most while it has nothing else to do.
    package static let lateness = Duration.microseconds(250)

    /// How the run in real time compares with that in virtual time.
    package let agreement: LogAgreement

    /// With what virtual time agrees, while it differs from itself; nil where it agrees without, and where it never does.
    package let moment: Moment?

    /// What was found.
    package var verdict: Verdict {
        if agreement.differences.isEmpty, agreement.compared > 0 { return .agrees }
        return moment == nil ? .differs : .threshold
    }

    /// Compares a run in real time with those in virtual time.
    ///
    /// - Parameters:
    ///   - real: The log of the run in real time.
    ///   - virtual: That of the run in virtual time.
    ///   - think: How long the server took for a request in it.
    ///   - run: Makes the run in virtual time otherwise.
    /// - Throws: What `run` throws.
    package init(
        real: EventLog,
        virtual: EventLog,
        think: Duration,
        run: (Moment) throws -> EventLog
    ) rethrows {
        agreement = LogAgreement(virtual: virtual, real: real)
        guard !agreement.differences.isEmpty else {
            moment = nil
            return
        }
        moment = try Self.moments(think: think).first { moment in
            let other = try run(moment)
            return LogAgreement(virtual: other, real: real).differences.isEmpty
                && !LogAgreement(virtual: virtual, real: other).differences.isEmpty
        }
    }

    /// What is tried, the least first: close together at first, as some thresholds have two sides.
    private static func moments(think: Duration) -> [Moment] {
        let fine = stride(from: 20, through: 300, by: 20), coarse = stride(from: 400, through: 1000, by: 100)
        let sizes = (Array(fine) + Array(coarse)).map { Duration.microseconds($0) }
        let shifts = [.zero] + sizes.filter { $0 <= greatestShift }.flatMap { [$0, .zero - $0] }
        return shifts.filter { think + $0 >= .zero }.map { Moment(shift: $0, lateness: lateness) }
    }
}
