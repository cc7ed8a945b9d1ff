internal import Foundation
internal import SegueBase
package import SegueComparison
package import SegueEvents
internal import SeguePlayerModel

/// The content of an event log, of this program or of another player.
package struct LoggedCase: Sendable {
    /// The maximum number of events of a log, which is held in memory.
    package static let mostEvents = 2_000_000

    /// The events, without the findings of an earlier judgment.
    package internal(set) var log = EventLog()

    /// The case that the log names.
    package internal(set) var name: CaseName?

    /// Findings of an earlier judgment that do not follow from the log alone: those of the script and of delivered
    /// content.
    package internal(set) var told: [Finding] = []

    /// The number of lines of each unknown kind.
    package internal(set) var unknown: [String: Int] = [:]

    /// The unknown lines in one line; nil if there are none.
    package var unknownWords: String? {
        let count = unknown.values.reduce(0, +)
        guard count > 0 else { return nil }
        let most = unknown.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let names = most.prefix(3).map { "\($0.key.prefix(60)) (\($0.value))" }.joined(separator: ", ")
        let rest = most.count > 3 ? " and \(most.count - 3) more" : ""
        return "\(count) line\(count == 1 ? "" : "s") of unknown kinds skipped: \(names)\(rest)"
    }

    /// The metrics that follow from the log.
    package var metrics: CaseMetrics {
        let session = LoggedSession(log, isSameSource: ServedItemURL.isSameSource)
        var metrics = CaseMetrics(session.metrics, sampleRate: nil)
        metrics.add(log)
        return metrics
    }
}

/// The reason why a log cannot be judged.
package struct LoggedCaseError: Error, Equatable, CustomStringConvertible {
    package let path: String

    /// The problem and its remedy.
    package let reason: String

    init(_ path: String, _ reason: String) { (self.path, self.reason) = (path, reason) }

    package var description: String { "\(path): \(reason)" }
}

extension LoggedCase {
    /// Reads the log in a file or pipe.
    ///
    /// - Throws: ``LoggedCaseError`` if it cannot be read, or for the first line that is not an event.
    package init(fileAt path: String) throws(LoggedCaseError) {
        var lines = try LogLines(path: path)
        var number = 1
        do throws(LineFailure) {
            while let line = try lines.next() {
                try add(line)
                number += 1
            }
        } catch {
            throw LoggedCaseError(path, "line \(number) \(error.reason)")
        }
        guard log.events.isEmpty else { return }
        guard let words = unknownWords else { throw LoggedCaseError(path, "the log has no events") }
        throw LoggedCaseError(path, "the log has no known events; \(words); segue events lists the known kinds")
    }

    /// Adds a line; empty lines are ignored.
    mutating func add(_ line: Data) throws(LineFailure) {
        guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return }
        let fields: [String: EventValue]
        do {
            fields = try Event.fields(jsonLine: line)
        } catch {
            throw LineFailure(reason: "is not a JSON object")
        }
        guard case .text(let kind) = fields["kind"] else { throw LineFailure(reason: "has no kind") }
        let event = try LoggedCase.event(fields, kind)
        guard let event else {
            unknown[unknown.count < 1000 || unknown[kind] != nil ? kind : "others", default: 0] += 1
            return
        }
        if let last = log.events.last?.at, event.at < last {
            let (now, before) = (EventValue.number(event.at.seconds).json, EventValue.number(last.seconds).json)
            throw LineFailure(
                reason: "has t \(now), less than the line before it (t \(before)); a log must be ordered by time"
            )
        }
        guard log.events.count < LoggedCase.mostEvents else {
            throw LineFailure(reason: "exceeds the limit of \(LoggedCase.mostEvents) events")
        }
        keep(event)
    }

    private mutating func keep(_ event: Event) {
        switch event.kind {
        case .caseBegan(let file, let scenario, let network, let platform, let app, let seed):
            name =
                name
                ?? CaseName(file: file, scenario: scenario, network: network, platform: platform, app: app, seed: seed)
        case .finding(let rule, let message):
            if Finding.ownRules[rule] != nil {
                told.append(Finding(rule: rule, message: Message(quoting: message), at: event.at.seconds))
            }
            return
        default: break
        }
        log.append(event.kind, at: event.at)
    }

    /// The event with these values; nil for an unknown kind.
    static func event(
        _ fields: [String: EventValue],
        _ kind: String,
        times: ClosedRange<Double> = 0...4e9
    ) throws(LineFailure) -> Event? {
        guard EventCatalogue.names.contains(kind) else { return nil }
        for (name, value) in fields where name != "seed" { try check(value, of: name, times) }
        do {
            return try Event(fields: fields)
        } catch DecodingError.keyNotFound(let key, _) {
            throw LineFailure(
                reason: "is \(kind) without \(key.stringValue); segue events lists the fields of each kind"
            )
        } catch DecodingError.typeMismatch(_, let context) {
            let field = context.codingPath.last?.stringValue ?? "a value"
            throw LineFailure(
                reason: "is \(kind) with \(field) of the wrong type; segue events lists the fields of each kind"
            )
        } catch {
            throw LineFailure(reason: "is \(kind) without t, its seconds since the run began")
        }
    }

    /// Checks that a number is small enough for sums over a whole log.
    private static func check(
        _ value: EventValue,
        of name: String,
        _ times: ClosedRange<Double>
    ) throws(LineFailure) {
        let number: Double
        switch value {
        case .integer(let value): number = Double(value)
        case .number(let value): number = value
        case .text, .flag: return
        }
        guard number.magnitude <= 1e12, name != "t" || times.contains(number) else {
            throw LineFailure(reason: "has \(name) \(value.json), which is out of range")
        }
    }
}

extension ServedItemURL {
    /// Returns whether two URLs are renditions of one source: they differ only in the query, or are playlists of one item.
    static func isSameSource(_ one: String, _ other: String) -> Bool {
        func place(_ url: String) -> Substring {
            let path = url.prefix { $0 != "?" }
            return background(of: url) == nil ? path : path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)
        }
        return place(one) == place(other)
    }
}
