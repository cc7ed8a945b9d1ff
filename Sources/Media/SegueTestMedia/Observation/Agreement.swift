internal import SegueBase

/// A player's statements compared with what a recording shows.
package struct Agreement: Sendable, Equatable, Codable {
    /// A statement with the matching observation.
    package struct Held: Sendable, Equatable, Codable {
        package var statement: String
        /// The time of the statement, on the log's clock.
        package var said: Double
        /// The stated position.
        package var position: Double?
        /// The time of the matching observation, on the recording's clock; nil if there is none.
        package var observed: Double?
        /// The position observed then.
        package var observedPosition: Double?
        /// The delay of the observation after the statement, in milliseconds, after aligning the clocks.
        package var difference: Double?
    }

    /// The offset from the log's clock to the recording's; nil if they cannot be aligned.
    package var clockOffset: Double?
    package var statements: [Held]

    /// The statements without a matching observation.
    package var untrue: [Held] { statements.filter { $0.observed == nil } }

    /// The maximum distance between a stated and an observed position, in seconds.
    private static let samePlace = 0.5
    /// The maximum delay of a matching observation, in seconds.
    private static let patience = 2.0
    /// The bin width for clock offsets, in seconds.
    private static let bin = 0.25

    /// Aligns a log's clock with a recording's, and compares each statement with the observation.
    ///
    /// The offset is the median of those on which the most statements with a position agree.
    package init(of statements: [Statement], with observation: Observation) {
        let edges = ObservedEdge.all(of: observation)
        clockOffset = Self.clockOffset(statements, edges)
        guard let offset = clockOffset else {
            self.statements = statements.map {
                Held(statement: $0.words, said: $0.at, position: $0.position)
            }
            return
        }
        var choices = Self.choices(statements, offset: offset, observation: observation)[...]
        self.statements = statements.map { statement in
            var held = Held(statement: statement.words, said: statement.at, position: statement.position)
            let expected = statement.at + offset
            if case .variant = statement.edge {
                guard let seen = choices.popFirst() ?? nil else { return held }
                (held.observed, held.observedPosition) = (seen.time, seen.source)
                held.difference = (seen.time - expected) * 1000
                return held
            }
            let fitting = edges.filter { $0.fits(statement) && abs($0.time - expected) <= Self.patience }
            if let edge = fitting.min(by: { abs($0.time - expected) < abs($1.time - expected) }) {
                (held.observed, held.observedPosition) = (edge.time, edge.source)
                held.difference = (edge.time - expected) * 1000
            }
            return held
        }
    }

    /// Matches variant choices with what was seen.
    private static func choices(
        _ statements: [Statement],
        offset: Double,
        observation: Observation
    ) -> [VariantChoices.Moment?] {
        let chosen = statements.compactMap { statement -> VariantChoices.Moment? in
            guard case .variant(let mark) = statement.edge else { return nil }
            return VariantChoices.Moment(mark: mark, time: statement.at + offset)
        }
        return VariantChoices.pairs(chosen, VariantChoices.seen(in: observation.video))
    }

    private static func clockOffset(_ statements: [Statement], _ edges: [ObservedEdge]) -> Double? {
        var votes: [Int: [Double]] = [:]
        // The number of statements is limited, because the cost is quadratic.
        for statement in statements.lazy.filter({ $0.position != nil }).prefix(2000) {
            var voted: Set<Int> = []
            for edge in edges.prefix(2000) where edge.fits(statement) {
                let difference = edge.time - statement.at
                guard abs(difference) < 1e9 else { continue }
                let place = Int((difference / bin).rounded(.down))
                // Each statement votes once per offset, regardless of how many edges match.
                if voted.insert(place).inserted { votes[place, default: []].append(difference) }
            }
        }
        // Two adjacent bins, so that no boundary splits a cluster; the earliest in a tie.
        let best = votes.keys.map { place in (place, votes[place, default: []] + votes[place + 1, default: []]) }
            .max { ($0.1.count, -$0.0) < ($1.1.count, -$1.0) }
        guard let differences = best?.1.sorted(), !differences.isEmpty else { return nil }
        return differences[differences.count / 2]
    }

    /// An observed start or end.
    private struct ObservedEdge {
        var isBeginning: Bool
        var medium: Observation.Medium
        var time: Double
        var source: Double

        static func all(of observation: Observation) -> [ObservedEdge] {
            let video = observation.video.flatMap {
                [
                    ObservedEdge(isBeginning: true, medium: .video, time: $0.start, source: $0.source),
                    ObservedEdge(isBeginning: false, medium: .video, time: $0.end, source: $0.sourceEnd),
                ]
            }
            let audio = observation.audio.flatMap {
                [
                    ObservedEdge(isBeginning: true, medium: .audio, time: $0.start, source: $0.source),
                    ObservedEdge(isBeginning: false, medium: .audio, time: $0.end, source: $0.sourceEnd),
                ]
            }
            return video + audio
        }

        func fits(_ statement: Statement) -> Bool {
            if let position = statement.position, abs(source - position) > samePlace { return false }
            switch statement.edge {
            case .beginning(let of): return isBeginning && of ?? medium == medium
            case .ending(let of): return !isBeginning && of ?? medium == medium
            case .variant: return false
            }
        }
    }
}
