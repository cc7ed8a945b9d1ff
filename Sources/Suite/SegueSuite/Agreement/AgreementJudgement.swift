internal import SegueBase
package import SegueEvents

/// The comparison of a run in real time with virtual time, and its significance.
///
/// Players decide by thresholds: variants by measured throughput, the end of slow start by acknowledgement times,
/// keeping up by a second in the buffer. If a run lies on a threshold, a small delay changes everything after it, and
/// no model can predict which side a machine takes. Where real time differs, virtual time is therefore repeated with
/// the deviations of a real machine: timers that fire slightly late, and a server that is slightly faster or slower,
/// first for all requests alike, then for each request as measured in real time. A case lies on a threshold if virtual
/// time then differs from itself and one of its runs agrees completely with real time, within the same tolerance.
package struct AgreementJudgement: Sendable {
    package enum Verdict: String, Sendable {
        /// Real time matches virtual time.
        case agrees
        /// Small delays change virtual time, and real time matches one of the variants.
        case threshold
        /// Real time matches no variant of virtual time.
        case differs
    }

    /// The deviations of a run in virtual time.
    package struct Moment: Sendable, Equatable {
        /// The time that the server takes in addition to the measured one; negative for a faster server.
        package let shift: Duration
        /// The lateness of the script.
        package let lateness: Duration
        /// The additional server time of single requests; negative for faster ones.
        package var single: [ResponseDelays.Request: Duration] = [:]

        package init(shift: Duration, lateness: Duration) { (self.shift, self.lateness) = (shift, lateness) }

        /// The server time of a request, given the measured `think`; never negative.
        package func serverTime(for request: ResponseDelays.Request, think: Duration) -> Duration {
            max(.zero, think + shift + (single[request] ?? .zero))
        }
    }

    /// The largest deviation of the server time, for all requests or for one: less than the sum of a machine's reaction
    /// times.
    package static let greatestShift = Duration.milliseconds(1)

    /// The largest lateness of an idle machine's timers.
    package static let lateness = Duration.microseconds(250)

    /// The agreement of real time with unmodified virtual time.
    package let agreement: LogAgreement

    /// The deviations with which virtual time agrees and differs from itself; nil if it agrees without any, or never.
    package let moment: Moment?

    package var verdict: Verdict {
        if agreement.differences.isEmpty, agreement.compared > 0 { return .agrees }
        return moment == nil ? .differs : .threshold
    }

    /// Compares a run in real time with runs in virtual time.
    ///
    /// - Parameters:
    ///   - real: The log of the run in real time.
    ///   - virtual: The log of the run in virtual time.
    ///   - think: The server time of that run.
    ///   - run: Repeats the run in virtual time with deviations.
    /// - Throws: An error of `run`.
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

    /// The number of iterations that adapt virtual time to the request times of real time.
    ///
    /// The effects of one deviation become visible only after it is removed.
    private static let approaches = 12

    /// Assigns each request its time from real time, within a machine's reaction times.
    ///
    /// The order of packets of two connections in a queue depends on the difference of their delays, which no common
    /// shift of all requests can reproduce.
    private static func ownMoment(
        of real: EventLog,
        virtual: EventLog,
        think: Duration,
        run: (Moment) throws -> EventLog,
        explains: (EventLog) -> Bool
    ) rethrows -> Moment? {
        let wanted = ResponseDelays(real).times
        var moment = Moment(shift: .zero, lateness: lateness)
        var found = ResponseDelays(virtual).times
        for _ in 0..<approaches {
            for (request, time) in wanted {
                guard let reached = found[request] else { continue }
                let single = (moment.single[request] ?? .zero) + (time - reached)
                moment.single[request] = min(max(single, .zero - min(think, greatestShift)), greatestShift)
            }
            let other = try run(moment)
            if explains(other) { return moment }
            found = ResponseDelays(other).times
        }
        return nil
    }

    /// The deviations to try, the smallest first.
    ///
    /// Small ones are dense, since some thresholds have two sides.
    private static func moments(think: Duration) -> [Moment] {
        let fine = stride(from: 20, through: 300, by: 20), coarse = stride(from: 400, through: 1000, by: 100)
        let sizes = (Array(fine) + Array(coarse)).map { Duration.microseconds($0) }
        let shifts = [.zero] + sizes.filter { $0 <= greatestShift }.flatMap { [$0, .zero - $0] }
        return shifts.filter { think + $0 >= .zero }.map { Moment(shift: $0, lateness: lateness) }
    }
}
