internal import SegueBase
package import SegueEvents

/// How a run in real time compares with virtual time, and whether a difference says anything.
///
/// Players decide by thresholds: a variant by what was measured, slow start's end by how long acknowledgements take,
/// whether it keeps up by whether a second is left in the buffer. Where a run lies on one, a moment more or less changes
/// all that follows, and no model can say which of the two a machine will show. So where real time differs, virtual time
/// is asked again with what a machine has and virtual time has not: timers that are a little late, and a server that takes
/// a little longer or shorter; first for all requests alike, then for each as the run in real time had it. A case lies on
/// a threshold where virtual time then differs from itself, and one of its runs agrees with real time whole, by the same
/// bound.
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
        /// How much longer than that the server takes for single requests; below zero where it takes less.
        package var single: [AnswerDelays.Request: Duration] = [:]

        package init(shift: Duration, lateness: Duration) { (self.shift, self.lateness) = (shift, lateness) }

        /// How long the server takes for a request, where it takes `think` for one as measured; never below zero.
        package func serverTime(for request: AnswerDelays.Request, think: Duration) -> Duration {
            max(.zero, think + shift + (single[request] ?? .zero))
        }
    }

    /// By how much the server may take longer or shorter at the most, for all requests or for one: less than a machine's
    /// own reaction times add up to.
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
        let explains = { (other: EventLog) in
            LogAgreement(virtual: other, real: real).differences.isEmpty
                && !LogAgreement(virtual: virtual, real: other).differences.isEmpty
        }
        moment =
            try Self.moments(think: think).first { explains(try run($0)) }
            ?? Self.ownMoment(of: real, virtual: virtual, think: think, run: run, explains: explains)
    }

    /// How often virtual time is brought nearer to what the run in real time took for each request: what follows from one
    /// that is off is seen when that one is not.
    private static let approaches = 12

    /// Gives each request the time that it took in real time, as far as a machine's reaction times go.
    ///
    /// Which of two connections has its packets first in a queue hangs on what the one took more than the other, which
    /// nothing that is the same for all requests can show.
    private static func ownMoment(
        of real: EventLog,
        virtual: EventLog,
        think: Duration,
        run: (Moment) throws -> EventLog,
        explains: (EventLog) -> Bool
    ) rethrows -> Moment? {
        let wanted = AnswerDelays(real).times
        var moment = Moment(shift: .zero, lateness: lateness)
        var found = AnswerDelays(virtual).times
        for _ in 0..<approaches {
            for (request, time) in wanted {
                guard let reached = found[request] else { continue }
                let single = (moment.single[request] ?? .zero) + (time - reached)
                moment.single[request] = min(max(single, .zero - min(think, greatestShift)), greatestShift)
            }
            let other = try run(moment)
            if explains(other) { return moment }
            found = AnswerDelays(other).times
        }
        return nil
    }

    /// What is tried, the least first: close together at first, as some thresholds have two sides.
    private static func moments(think: Duration) -> [Moment] {
        let fine = stride(from: 20, through: 300, by: 20), coarse = stride(from: 400, through: 1000, by: 100)
        let sizes = (Array(fine) + Array(coarse)).map { Duration.microseconds($0) }
        let shifts = [.zero] + sizes.filter { $0 <= greatestShift }.flatMap { [$0, .zero - $0] }
        return shifts.filter { think + $0 >= .zero }.map { Moment(shift: $0, lateness: lateness) }
    }
}
