/// A cause: findings of one shape, with the cases in which they decided the verdict.
package struct FindingCause: Sendable, Equatable {
    /// What became of the cases.
    package let verdict: RecordedCase.Verdict
    /// The rule.
    package let rule: String
    /// What the messages have in common, with the rule; empty where they are the many that have nothing in common.
    package let shape: String
    /// The first of the cases.
    package let example: RecordedCase.Name
    /// How many cases there are.
    package private(set) var cases = 0
    /// What the cases are of, each with how many.
    package private(set) var titles = NameTally()
    package private(set) var networks = NameTally()
    package private(set) var platforms = NameTally()
    package private(set) var scenarios = NameTally()
    package private(set) var apps = NameTally()
    /// The rules of what was found in the cases besides, which mostly is the consequence.
    package private(set) var also = NameTally()
    /// The known issues that cover it.
    package private(set) var issues = NameTally()
    fileprivate var parts: [Part]

    /// A part of the messages.
    fileprivate enum Part: Sendable, Equatable {
        case words(String)
        /// The least and the greatest of the numbers.
        case number(least: Figure, greatest: Figure)
        /// A name, or what is the same of several.
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

    /// A cause without a case, of findings of a shape; nil for the many that have nothing in common.
    init(_ verdict: RecordedCase.Verdict, rule: String, _ shape: FindingShape?, example: RecordedCase.Name) {
        (self.verdict, self.rule, self.example) = (verdict, rule, example)
        self.shape = shape?.key ?? ""
        parts = shape?.pieces.map(Part.init) ?? [.words("messages that have nothing in common")]
    }

    /// Adds a case.
    mutating func add(_ name: RecordedCase.Name, _ found: FindingShape?, issue: String?, also others: [String]) {
        cases += 1
        titles.add(name.file)
        networks.add(name.network)
        platforms.add(name.platform)
        scenarios.add(name.scenario)
        apps.add(name.app)
        if let issue { issues.add(issue) }
        for other in NameTally(others).names { also.add(other) }
        guard let found, found.pieces.count == parts.count else { return }
        for (place, piece) in found.pieces.enumerated() { parts[place].join(piece) }
    }

    /// What was found, with the least and the greatest of each number where they differ.
    package var message: String {
        parts.map { part in
            switch part {
            case .words(let words), .name(let words): words
            case .number(let least, let greatest):
                least.value == greatest.value ? least.text : "\(least.text)…\(greatest.text)"
            }
        }.joined()
    }

    /// How many cases there are, and of which titles, networks and so on.
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

    /// Widens the part by that of another message of the same shape.
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
