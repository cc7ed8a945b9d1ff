/// What a player said of itself, held against what was seen and heard.
package struct Agreement: Sendable, Equatable, Codable {
    /// A statement and what the recording shows of it.
    package struct Held: Sendable, Equatable, Codable {
        package var statement: String
        /// When it was said, on the log's clock.
        package var said: Double
        /// The place that it names.
        package var position: Double?
        /// When what it says was seen or heard, on the recording's clock; nil where it was not.
        package var observed: Double?
        /// The place that was seen or heard then.
        package var observedPosition: Double?
        /// How much later than said it came true, in milliseconds, after the clocks were laid together.
        package var difference: Double?
    }

    /// What is added to the log's times to have the recording's; nil where nothing lays the two together.
    package var clockOffset: Double?
    package var statements: [Held]

    /// Statements that did not come true.
    package var untrue: [Held] { statements.filter { $0.observed == nil } }

    /// A place said and a place observed are the same one within so many seconds.
    private static let samePlace = 0.5
    /// What comes true comes true within so many seconds.
    private static let patience = 2.0
    /// Statements agree on where the clocks lie within so many seconds.
    private static let bin = 0.25

    /// Lays a log's clock and a recording's together, and holds each statement against what was observed.
    ///
    /// The offset is the one on which most statements with a place agree; of those, the median.
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

    /// What was seen of each choice of a variant.
    private static func choices(
        _ statements: [Statement],
        offset: Double,
        observation: Observation
    ) -> [VariantChoices.Moment?] {
        let chosen = statements.compactMap { statement -> VariantChoices.Moment? in
            guard case .variant(let mark) = statement.edge else { return nil }
            return VariantChoices.Moment(mark: mark, time: statement.at + offset)
        }
        return VariantChoices.pairs(chosen, VariantChoices.seen(in: observation.pictures))
    }

    private static func clockOffset(_ statements: [Statement], _ edges: [ObservedEdge]) -> Double? {
        var votes: [Int: [Double]] = [:]
        // The first ones are enough; what grows with the square of a long log is bounded.
        for statement in statements.lazy.filter({ $0.position != nil }).prefix(2000) {
            var voted: Set<Int> = []
            for edge in edges.prefix(2000) where edge.fits(statement) {
                let difference = edge.time - statement.at
                guard abs(difference) < 1e9 else { continue }
                let place = Int((difference / bin).rounded(.down))
                // A statement has one vote for an offset, however many edges fit.
                if voted.insert(place).inserted { votes[place, default: []].append(difference) }
            }
        }
        // Two bins side by side, so that no border parts what belongs together; the earliest of equals.
        let best = votes.keys.map { place in (place, votes[place, default: []] + votes[place + 1, default: []]) }
            .max { ($0.1.count, -$0.0) < ($1.1.count, -$1.0) }
        guard let differences = best?.1.sorted(), !differences.isEmpty else { return nil }
        return differences[differences.count / 2]
    }

    /// A beginning or an end that was observed.
    private struct ObservedEdge {
        var isBeginning: Bool
        var medium: Observation.Medium
        var time: Double
        var source: Double

        static func all(of observation: Observation) -> [ObservedEdge] {
            let pictures = observation.pictures.flatMap {
                [
                    ObservedEdge(isBeginning: true, medium: .picture, time: $0.start, source: $0.source),
                    ObservedEdge(isBeginning: false, medium: .picture, time: $0.end, source: $0.sourceEnd),
                ]
            }
            let sounds = observation.sounds.flatMap {
                [
                    ObservedEdge(isBeginning: true, medium: .sound, time: $0.start, source: $0.source),
                    ObservedEdge(isBeginning: false, medium: .sound, time: $0.end, source: $0.sourceEnd),
                ]
            }
            return pictures + sounds
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
