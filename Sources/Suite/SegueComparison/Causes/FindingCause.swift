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
        /// The minimum and maximum of a number.
        case number(least: Figure, greatest: Figure)
        /// A name, or the common part of several.
        case name(String)
    }

    fileprivate struct Figure: Sendable, Equatable {
        let text: String
        let value: Double

        init(_ text: String) {
            self.text = text
            value = Double(text.hasPrefix("−") ? "-" + text.dropFirst() : text) ?? 0
        }
    }

    /// A cause without cases.
    ///
    /// A shape of nil makes the overflow cause.
    init(_ verdict: Verdict, rule: String, _ shape: FindingShape?, example: CaseName) {
        (self.verdict, self.rule, self.example) = (verdict, rule, example)
        self.shape = shape?.key ?? ""
        parts = shape?.pieces.map(Part.init) ?? [.words("other messages")]
    }

    mutating func add(_ name: CaseName, _ found: FindingShape?, issue: String?, also others: [String]) {
        cases += 1
        titles.add(name.file)
        networks.add(name.network)
        platforms.add(name.client)
        scenarios.add(name.scenario)
        apps.add(name.app)
        if let issue { issues.add(issue) }
        for other in NameCounts(others).names { also.add(other) }
        guard let found, found.pieces.count == parts.count else { return }
        for (place, piece) in found.pieces.enumerated() { parts[place].join(piece) }
    }

    /// The message, with the range of each number that differs.
    package var message: String {
        parts.map { part in
            switch part {
            case .words(let words), .name(let words): words
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
    fileprivate init(_ piece: FindingShape.Piece) {
        switch piece {
        case .words(let words): self = .words(words)
        case .number(let text): self = .number(least: FindingCause.Figure(text), greatest: FindingCause.Figure(text))
        case .name(let name, _): self = .name(name)
        }
    }

    /// Extends the part to cover another message of the same shape.
    fileprivate mutating func join(_ piece: FindingShape.Piece) {
        switch (self, piece) {
        case (.number(let least, let greatest), .number(let text)):
            let figure = FindingCause.Figure(text)
            if figure.value < least.value { self = .number(least: figure, greatest: greatest) }
            if figure.value > greatest.value { self = .number(least: least, greatest: figure) }
        case (.name(let name), .name(let other, let same)): if name != other { self = .name(same) }
        default: break
        }
    }
}
