package import SegueBase
package import SegueEvents

/// The comparison of two logs of one scenario: same events, same order, same times.
///
/// The comparison covers events of player, app, platform, and script. It leaves out the transport (requests and
/// responses), whose numbers count connections and bytes; its effects show in the loaded segments and playlists.
package struct LogAgreement: Sendable, Equatable {
    package enum Difference: Sendable, Equatable {
        /// An event occurs a different number of times.
        case count(event: String, virtual: Int, real: Int)
        /// The times of an event differ by more than the tolerance.
        case time(event: String, virtual: Instant, real: Instant)
        /// Two events are in reverse order although they are not close together.
        case order(first: String, second: String)
    }

    /// The number of compared events.
    package let compared: Int

    /// The differences in the order of the virtual log.
    package let differences: [Difference]

    /// The number of reversed pairs of close events.
    package let swaps: Int

    /// The largest time difference of an event that both logs have, in seconds.
    package let greatest: Double

    /// The tolerance at a moment: the larger of 5 % and 100 ms.
    package static func tolerance(at instant: Instant) -> Duration {
        max(.milliseconds(100), .nanoseconds(instant.nanoseconds / 20))
    }

    /// Compares two logs.
    ///
    /// The n-th event with the same name, item, and words is the same event in both.
    ///
    /// - Parameters:
    ///   - virtual: The log of the run in virtual time.
    ///   - real: The log of the run in real time.
    package init(virtual: EventLog, real: EventLog) {
        let expected = LogAgreement.events(of: virtual)
        let found = LogAgreement.events(of: real)
        let places = LogAgreement.places(found)
        var pairs: [(name: String, virtual: Instant, real: Instant, place: Int)] = []
        var differences: [Difference] = []
        var counts: [String: Int] = [:]
        for event in expected {
            let number = counts[event.name, default: 0]
            counts[event.name] = number + 1
            guard let all = places[event.name], number < all.count else { continue }
            let place = all[number]
            pairs.append((event.name, event.at, found[place].at, place))
        }
        var named: Set<String> = []
        for event in expected + found where named.insert(event.name).inserted {
            let (here, there) = (counts[event.name] ?? 0, places[event.name]?.count ?? 0)
            if here != there { differences.append(.count(event: event.name, virtual: here, real: there)) }
        }
        for pair in pairs where LogAgreement.distance(pair.virtual, pair.real) > Self.tolerance(at: pair.virtual) {
            differences.append(.time(event: pair.name, virtual: pair.virtual, real: pair.real))
        }
        var swaps = 0
        for (index, first) in pairs.enumerated() {
            for second in pairs[(index + 1)...] where second.place < first.place {
                let slack = Self.tolerance(at: first.virtual)
                let isClose = second.virtual - first.virtual <= slack && first.real - second.real <= slack
                if isClose { swaps += 1 } else { differences.append(.order(first: first.name, second: second.name)) }
            }
        }
        compared = pairs.count
        self.differences = differences
        self.swaps = swaps
        greatest = pairs.map { LogAgreement.distance($0.virtual, $0.real).seconds }.max() ?? 0
    }

    private static func distance(_ left: Instant, _ right: Instant) -> Duration {
        left < right ? right - left : left - right
    }

    /// The compared events, with names that identify them.
    private static func events(of log: EventLog) -> [(name: String, at: Instant)] {
        log.events.filter { ![.link, .origin].contains($0.kind.declaration.source) }.map { (name(of: $0.kind), $0.at) }
    }

    /// The indices of the events of each name.
    private static func places(_ events: [(name: String, at: Instant)]) -> [String: [Int]] {
        var places: [String: [Int]] = [:]
        for (index, event) in events.enumerated() { places[event.name, default: []].append(index) }
        return places
    }

    /// A name with the values that identify the event, without measured values.
    private static func name(of kind: EventKind) -> String {
        let record = kind.record
        var parts = [record.name]
        for field in record.fields {
            switch field.value {
            case .text(let text) where field.name != "url" && field.name != "entry": parts.append(text)
            case .flag(let flag): parts.append("\(flag ? "" : "not ")\(field.name)")
            case .integer(let number) where field.name == "number": parts.append("\(number)")
            default: continue
            }
        }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension LogAgreement.Difference: CustomStringConvertible {
    package var description: String {
        func text(_ instant: Instant) -> String { DecimalText.short(instant.seconds, places: 3) }
        switch self {
        case .count(let event, let virtual, let real):
            return "\(event): \(virtual) times in virtual time, \(real) in real time"
        case .time(let event, let virtual, let real):
            return "\(event): at \(text(virtual)) s in virtual time, \(text(real)) s in real time"
        case .order(let first, let second): return "\(second) came before \(first) in real time"
        }
    }
}
