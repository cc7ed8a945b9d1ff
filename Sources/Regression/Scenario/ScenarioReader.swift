package import Harness
internal import Packager
internal import Timeline

extension Scenario {
    /// Reads a scenario file; `Harness/scenarios/README.md` describes its keys.
    ///
    /// - Parameter path: The path of a YAML file.
    /// - Throws: ``HarnessError`` for the first thing that is wrong, with file, line and key.
    package init(fileAt path: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(ofFileAt: path))
    }

    /// Reads a scenario from the keys of a data file.
    ///
    /// - Throws: ``HarnessError`` for the first thing that is wrong.
    package init(_ source: HarnessFields) throws(HarnessError) {
        var fields = source
        name = try fields.requiredText("name")
        about = try fields.requiredText("about")
        platform = try fields.requiredText("platform")
        think = Duration(try fields.number("think") ?? Rational(1, 100))
        guard think >= .zero else { throw fields.error("think", "must not be negative") }
        var needs = Needs()
        if var needed = try fields.fields("needs") {
            needs.sound = try needed.flag("sound") ?? false
            needs.picture = try needed.flag("picture") ?? false
            needs.seconds = try needed.number("seconds") ?? .zero
            try needed.finish()
        }
        self.needs = needs
        var steps: [Step] = []
        for entry in try fields.list("steps") { steps.append(try Scenario.step(entry)) }
        guard !steps.isEmpty else { throw fields.error("steps", "must have at least one step") }
        self.steps = steps
        try fields.finish()
    }

    /// One step: a mapping with a `do` key and what that one takes.
    private static func step(_ entry: HarnessFields) throws(HarnessError) -> Step {
        var entry = entry
        guard let verb = try entry.word("do", of: Verb.self) else { throw entry.error("do", "is missing") }
        let step: Step
        switch verb {
        case .open: step = .open(try entry.word("rendition", of: Opened.self)?.rendition ?? .full)
        case .play: step = .play
        case .pause: step = .pause
        case .background: step = .background
        case .foreground: step = .foreground
        case .seek: step = .seek(try entry.requiredSeconds("to"))
        case .stay: step = .stay(seconds: try entry.requiredSeconds("seconds"))
        case .hear:
            let share = try entry.number("share")
            guard share.map({ $0 > .zero && $0 <= Rational(1) }) ?? true else {
                throw entry.error("share", "must lie above 0 and be 1 at the most")
            }
            step = .hear(seconds: try entry.number("seconds"), share: share)
        }
        try entry.finish()
        return step
    }

    /// What a scenario may open.
    private enum Opened: String, CaseIterable {
        case full, background

        var rendition: Rendition? { Rendition(rawValue: rawValue) }
    }

    private enum Verb: String, CaseIterable {
        case open, play, pause, seek, background, foreground, hear, stay
    }
}

extension HarnessFields {
    /// Takes out a number of seconds that must be there and not be negative.
    fileprivate mutating func requiredSeconds(_ key: String) throws(HarnessError) -> Rational {
        let seconds = try requiredNumber(key)
        guard seconds >= .zero else { throw error(key, "must not be negative") }
        return seconds
    }
}
