internal import SegueData
internal import SegueEvents

extension Reaction {
    /// Reads the rules of an app; none if the key is missing.
    ///
    /// - Throws: `HarnessError` with file, line, and key.
    static func list(_ key: String, in fields: inout HarnessFields) throws(HarnessError) -> [Reaction] {
        let entries = try fields.list(key)
        var scope = ConditionScope()
        scope.hears = hears
        // Rules may use the values that any other rule stores, whatever their order in the file.
        for entry in entries {
            var entry = entry
            if let name = try entry.text("name"), !scope.labels.insert(name).inserted {
                throw entry.error("name", "is used by another rule")
            }
            for act in try entry.list("do", textsAs: "do") {
                var act = act
                for pair in try act.pairs("let") { try scope.add(pair.name, at: "let", in: act) }
            }
        }
        var reactions: [Reaction] = []
        for entry in entries { reactions.append(try Reaction(entry, number: reactions.count + 1, scope)) }
        return reactions
    }

    /// Returns whether an app can observe such events, which excludes those of tests, proxies, and other machines.
    private static func hears(_ match: EventMatch) -> Bool {
        if let source = match.source, [.regression, .origin].contains(source) { return false }
        guard let kind = match.kind else { return true }
        let declaration = EventCatalogue.declaration(of: kind)
        return !kind.hasPrefix("link.") && declaration.map { ![.regression, .origin].contains($0.source) } ?? true
    }

    private init(_ source: HarnessFields, number: Int, _ scope: ConditionScope) throws(HarnessError) {
        var entry = source
        name = try entry.text("name") ?? String(number)
        guard let when = try entry.fields("when") else {
            throw entry.missing("when", among: ["name", "after", "once", "do"])
        }
        condition = try Condition(when, scope)
        after = try entry.optionalWait("after", names: scope.names)
        isOnce = try entry.flag("once") ?? false
        guard entry.has("do") else { throw entry.missing("do", among: []) }
        var acts: [Act] = []
        for act in try entry.list("do", textsAs: "do") { acts.append(try Act(act, scope)) }
        guard !acts.isEmpty else { throw entry.error("do", "must have at least one act") }
        self.acts = acts
        try entry.finish()
    }
}

extension Reaction.Act {
    /// The acts that exist only in reactions.
    private enum Verb: String, CaseIterable {
        case makeAgain = "make-again"
        case beginTask = "begin-background-task"
        case endTask = "end-background-task"
    }

    private enum Rendition: String, CaseIterable {
        case full, background

        var rendition: ItemRendition { self == .full ? .full : .background }
    }

    /// The acts of users, systems, and tests, which exist only in scenarios.
    private static let others: Set = [
        "background", "foreground", "lock", "unlock", "interrupt", "end-interruption", "change-route",
        "reset-services", "silent-switch", "other-audio", "hear", "stay", "mend", "network", "fault", "send",
    ]

    /// The keys that may take the place of `do`.
    private static let keys = ["switch", "preload", "let"]

    private static let words = PlayerAct.Verb.allCases.map(\.rawValue) + Verb.allCases.map(\.rawValue)

    fileprivate init(_ source: HarnessFields, _ scope: ConditionScope) throws(HarnessError) {
        var entry = source
        var scope = scope
        let keys = Self.keys
        if let key = entry.names.first(where: { Self.others.contains($0) }) {
            throw Self.refusal(of: key, at: key, in: entry)
        }
        let given = (["do"] + keys).filter { entry.has($0) }
        if given.count > 1 { throw entry.error(given[1], "and \(given[0]) must be separate acts") }
        if let word = try entry.text("do") {
            self = try Self.read(word, in: &entry, scope)
        } else if let rendition = try entry.word("switch", of: Rendition.self) {
            self = .switchRendition(rendition.rendition)
        } else if let rendition = try entry.word("preload", of: Rendition.self) {
            self = .preload(rendition.rendition)
        } else {
            let notes = try Definition.list("let", in: &entry, &scope)
            guard !notes.isEmpty else { throw entry.missing("do", among: ["do"] + keys) }
            self = .note(notes)
        }
        try entry.finish()
    }

    private static func read(_ word: String, in entry: inout HarnessFields, _ scope: ConditionScope)
        throws(HarnessError) -> Self
    {
        if let verb = PlayerAct.Verb(rawValue: word) {
            return .player(try PlayerAct.read(verb, in: &entry, names: scope.names))
        }
        switch Verb(rawValue: word) {
        case .makeAgain: return .makeAgain
        case .beginTask: return .beginTask
        case .endTask: return .endTask
        case nil: break
        }
        if keys.contains(word) { throw entry.error("do", "\(word) is a key, as in { \(word): … }") }
        if others.contains(word) { throw refusal(of: word, at: "do", in: entry) }
        throw entry.error("do", UnknownName(word, among: words).description)
    }

    private static func refusal(of word: String, at key: String, in entry: HarnessFields) -> HarnessError {
        let allowed = "\(words.joined(separator: ", ")), switch, preload, or let"
        return entry.error(key, "\(word) is an act of the user, the system, or the test; an app can \(allowed)")
    }
}
