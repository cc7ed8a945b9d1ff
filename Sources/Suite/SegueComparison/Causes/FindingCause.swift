internal import SegueBase

/// A cause: findings of one shape, and the cases whose verdicts they decided.
package struct FindingCause: Sendable, Equatable {
    package let verdict: Verdict
    package let rule: String
    /// The rule and the common part of the messages; empty for the overflow cause, whose messages differ.
    package let shape: String
    package let example: CaseName
    package private(set) var cases = 0
    /// The titles of the cases, each with its number of cases.
    package private(set) var titles = NameCounts()
    package private(set) var networks = NameCounts()
    package private(set) var platforms = NameCounts()
    package private(set) var scenarios = NameCounts()
    package private(set) var apps = NameCounts()
    /// The rules of the other findings in these cases, which are mostly consequences.
    package private(set) var also = NameCounts()
    /// The known issues that cover the cause.
    package private(set) var issues = NameCounts()
    fileprivate var parts: [Part]

    /// A part of the message.
    fileprivate enum Part: Sendable, Equatable {
        case words(String)
        /// The minimum and maximum of a number, as they are printed.
        case number(least: Figure, greatest: Figure)
        /// The minimum and maximum of a number of things with this noun.
        case count(ClosedRange<Int>, of: String)
        /// A value, or the common part of several.
        case value(String)
    }

    fileprivate struct Figure: Sendable, Equatable {
        let value: Double
        let text: String
    }

    /// A cause without cases.
    ///
    /// Without a finding, it is the overflow cause.
    init(_ verdict: Verdict, rule: String, _ finding: RecordedCase.Finding?, example: CaseName) {
        (self.verdict, self.rule, self.example) = (verdict, rule, example)
        shape = finding?.shape ?? ""
        parts = finding?.message.parts.map(Part.init) ?? [.words("other messages")]
    }

    mutating func add(_ name: CaseName, _ found: RecordedCase.Finding?, issue: String?, also others: [String]) {
        cases += 1
        titles.add(name.file)
        networks.add(name.network)
        platforms.add(name.client)
        scenarios.add(name.scenario)
        apps.add(name.app)
        if let issue { issues.add(issue) }
        for other in NameCounts(others).names { also.add(other) }
        guard let found = found?.message.parts, found.count == parts.count else { return }
        for (place, part) in found.enumerated() { parts[place].join(part) }
    }

    /// The message, with the range of each number that differs.
    package var message: String {
        parts.map { part in
            switch part {
            case .words(let words), .value(let words): words
            case .count(let counts, let noun):
                (counts.lowerBound < counts.upperBound ? "\(counts.lowerBound)…" : "")
                    + Message.Part.count(counts.upperBound, of: noun).text
            case .number(let least, let greatest):
                least.value == greatest.value ? least.text : "\(least.text)…\(greatest.text)"
            }
        }.joined()
    }

    /// The number of cases and their titles, networks, platforms, scenarios, and apps.
    package var reach: String {
        let parts = [
            titles.words("titles"), networks.words("networks"), platforms.words("platforms"),
            scenarios.words("scenarios"), apps.words("apps"),
        ]
        return "\(cases) case\(cases == 1 ? "" : "s"): " + parts.joined(separator: " · ")
    }
}

extension FindingCause.Part {
    fileprivate init(_ part: Message.Part) {
        switch part {
        case .words(let words): self = .words(words)
        case .number(let value, let text):
            let figure = FindingCause.Figure(value: value, text: text)
            self = .number(least: figure, greatest: figure)
        case .count(let count, let noun): self = .count(count...count, of: noun)
        case .value(let value): self = .value(value)
        }
    }

    /// Extends the part to cover another message of the same shape.
    fileprivate mutating func join(_ part: Message.Part) {
        switch (self, part) {
        case (.number(let least, let greatest), .number(let value, let text)):
            let figure = FindingCause.Figure(value: value, text: text)
            if figure.value < least.value { self = .number(least: figure, greatest: greatest) }
            if figure.value > greatest.value { self = .number(least: least, greatest: figure) }
        case (.count(let counts, let noun), .count(let count, _)):
            self = .count(min(counts.lowerBound, count)...max(counts.upperBound, count), of: noun)
        case (.value(let value), .value(let other)): if value != other { self = .value(part.common) }
        default: break
        }
    }
}
