package import Timeline

/// A rule that a case's log must keep.
package struct LogRule: Sendable, Equatable {
    /// What a rule asks for.
    package enum Demand: Sendable, Equatable {
        /// No event matches. The first that does is the finding: what follows it is mostly its consequence.
        case forbid(EventPattern)
        /// At least one event matches.
        case require(EventPattern)
        /// After the app went to the background, the sound did one of these.
        case background([String])
    }

    /// The rule's name in findings.
    package let id: String

    /// What it asks for and why, in a sentence.
    package let about: String

    /// What it asks for.
    package let demand: Demand

    /// The scenarios, platforms, networks and app policies that it holds for; nil means all.
    package let scenarios: [String]?
    package let platforms: [String]?
    package let networks: [String]?
    package let apps: [String]?

    /// How many times faster than the stream's peak the network must be for the rule to hold; nil means that it always
    /// does.
    package let headroom: Rational?

    /// Whether the rule holds for a case.
    ///
    /// - Parameters:
    ///   - name: The case.
    ///   - headroom: How many times faster than the stream's peak its network is; infinite where nothing is known.
    /// - Returns: Whether it is to be asked about the case.
    package func holds(for name: CaseName, headroom: Double = .infinity) -> Bool {
        func admits(_ names: [String]?, _ name: String) -> Bool { names.map { $0.contains(name) } ?? true }
        guard self.headroom.map({ headroom >= $0.seconds }) ?? true else { return false }
        return admits(scenarios, name.scenario) && admits(platforms, name.platform)
            && admits(networks, name.network) && admits(apps, name.app)
    }

    /// What a log breaks of the rule.
    ///
    /// - Parameters:
    ///   - log: The case's log.
    ///   - background: What became of the sound in the background; nil where the scenario has none.
    /// - Returns: Nil when the rule is kept.
    package func finding(in log: EventLog, background: String?) -> Finding? {
        switch demand {
        case .forbid(let pattern):
            guard let event = log.events.first(where: pattern.matches) else { return nil }
            return Finding(rule: id, message: event.story, at: event.at.seconds)
        case .require(let pattern):
            guard !log.events.contains(where: pattern.matches) else { return nil }
            return Finding(rule: id, message: "no event matches \(pattern)", at: log.events.last?.at.seconds)
        case .background(let allowed):
            guard let background, !allowed.contains(background) else { return nil }
            return Finding(rule: id, message: "in the background the sound is \(background)")
        }
    }
}

/// What an event must be to match.
package struct EventPattern: Sendable, Equatable, CustomStringConvertible {
    /// Its name, such as `item.failed`; nil for any.
    package var kind: String?
    /// Its level; nil for any.
    package var level: String?
    /// Its source; nil for any.
    package var source: String?
    /// Texts that fields of it must have.
    package var fields: [String: String] = [:]

    /// Whether an event matches.
    package func matches(_ event: Event) -> Bool {
        let about = event.kind.about
        guard level.map({ $0 == about.level.rawValue }) ?? true, source.map({ $0 == about.source.rawValue }) ?? true
        else { return false }
        guard kind != nil || !fields.isEmpty else { return true }
        // Making the whole record takes longer than all else that a rule asks.
        guard kind.map({ $0 == event.kind.name }) ?? true else { return false }
        guard !fields.isEmpty else { return true }
        let values = event.kind.record.fields
        return fields.allSatisfy { name, text in values.contains { $0.name == name && $0.value.plain == text } }
    }

    package var description: String {
        let parts = [kind.map { "kind \($0)" }, level.map { "level \($0)" }, source.map { "source \($0)" }]
        let named = fields.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return (parts.compactMap { $0 } + named).joined(separator: ", ")
    }
}

extension Event {
    /// The event as a person reads it: its name, then its values.
    package var story: String {
        let record = kind.record
        let values = record.fields.map { "\($0.name) \($0.value.plain)" }.filter { !$0.hasSuffix(" ") }
        return ([record.name] + values).joined(separator: ", ")
    }
}

extension EventValue {
    /// The value without quotes.
    package var plain: String {
        if case .text(let text) = self { return text }
        return json
    }
}
