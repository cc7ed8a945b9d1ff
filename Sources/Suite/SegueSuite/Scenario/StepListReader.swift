internal import Foundation
internal import SegueBase
internal import SegueData
internal import SegueEvents

/// Reads lists of steps, expanding repetitions and includes, into the steps of a track.
struct StepListReader {
    private static let most = 10_000
    private static let deepest = 8

    private struct Requirements {
        var requires: [StepRequirement] = []
        var alternatives: [StepRequirement] = []

        mutating func read(_ fields: inout HarnessFields) throws(HarnessError) {
            requires += try StepRequirement.list("requires", in: &fields)
            alternatives += try StepRequirement.list("if", in: &fields)
        }
    }

    private let folder: HarnessFolder?
    private var scope = ConditionScope()
    private var count = 0
    /// The stack of included files, the outermost first.
    private var files: [String]
    /// The name of the current file, as steps show it.
    private var shown: String
    private var depth = 0
    /// The capabilities that the current files need of a real player.
    private var asks: [String] = []
    /// The requirements of the current files and includes.
    private var requirements = Requirements()
    private var sent: Set<String> = []
    private var awaited: [(name: String, fields: HarnessFields)] = []

    init(file: String, folder: HarnessFolder?) {
        self.folder = folder
        files = [file]
        shown = file.split(separator: "/").last.map(String.init) ?? file
    }

    /// The numbered steps of a mapping with the key `steps`.
    mutating func steps(of fields: inout HarnessFields) throws(HarnessError) -> [Scenario.Step] {
        var steps = try list(&fields, counters: [:])
        for index in steps.indices { steps[index].number = index + 1 }
        return steps
    }

    /// The named expressions of a mapping, each of which may use those before it.
    mutating func definitions(_ fields: inout HarnessFields, _ key: String) throws(HarnessError) -> [Definition] {
        try Definition.list(key, in: &fields, &scope)
    }

    /// Checks that every awaited message is sent by a step.
    func checkMessages() throws(HarnessError) {
        for (name, fields) in awaited where !sent.contains(name) {
            let error = UnknownName(name, among: Array(sent))
            throw fields.error("message", sent.isEmpty ? "no step sends \(name)" : error.description)
        }
    }

    // MARK: Lists

    private mutating func list(_ fields: inout HarnessFields, counters: [String: Double]) throws(HarnessError)
        -> [Scenario.Step]
    {
        var steps: [Scenario.Step] = []
        for entry in try fields.list("steps") { steps += try read(entry, counters) }
        guard !steps.isEmpty else { throw fields.error("steps", "must have at least one step") }
        return steps
    }

    private mutating func read(_ entry: HarnessFields, _ counters: [String: Double]) throws(HarnessError)
        -> [Scenario.Step]
    {
        if entry.has("repeat") { return try repeated(entry, counters) }
        if entry.has("include") { return try included(entry, counters) }
        count += 1
        guard count <= Self.most else { throw error(entry, "the scenario has more than \(Self.most) steps") }
        return [try step(entry, counters)]
    }

    private func error(_ entry: HarnessFields, _ message: String) -> HarnessError {
        HarnessError(file: entry.file, line: entry.line, key: entry.path, message: message)
    }

    private mutating func enter(_ entry: HarnessFields) throws(HarnessError) {
        depth += 1
        guard depth <= Self.deepest else {
            throw error(entry, "repeats and includes are nested more than \(Self.deepest) levels deep")
        }
    }

    private mutating func repeated(_ source: HarnessFields, _ outer: [String: Double]) throws(HarnessError)
        -> [Scenario.Step]
    {
        var entry = source
        let number = try entry.requiredExpression("repeat", names: scope.names)
        guard let times = number.value({ outer[$0] }).flatMap({ Int(exactly: $0) }), (1...1000).contains(times) else {
            throw entry.error("repeat", "is \(number), must be a whole number from 1 to 1000, of numbers and counters")
        }
        try enter(source)
        defer { depth -= 1 }
        let outerRequirements = requirements
        defer { requirements = outerRequirements }
        try requirements.read(&entry)
        let counter = try entry.text("as")
        let before = scope
        if let counter { try scope.add(counter, at: "as", in: entry) }
        var steps: [Scenario.Step] = []
        for turn in 1...times {
            var turnFields = entry
            var counters = outer
            if let counter { counters[counter] = Double(turn) }
            steps += try list(&turnFields, counters: counters)
            if turn == times { try turnFields.finish() }
        }
        if let counter, !before.names.contains(counter) { scope.names.remove(counter) }
        return steps
    }

    private mutating func included(_ source: HarnessFields, _ counters: [String: Double]) throws(HarnessError)
        -> [Scenario.Step]
    {
        var entry = source
        let name = try entry.requiredText("include")
        let outer = requirements
        defer { requirements = outer }
        try requirements.read(&entry)
        try entry.finish()
        try enter(source)
        defer { depth -= 1 }
        let path = beside(entry.file, name)
        guard !files.contains(path) else {
            let chain = (files.drop { $0 != path } + [path]).map {
                $0.split(separator: "/").last.map(String.init) ?? $0
            }
            throw source.error("include", "the file includes itself: \(chain.joined(separator: " -> "))")
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw source.error("include", "\(name): no such file; the path is relative to this file")
        }
        var fields = try HarnessFile.fields(ofFileAt: path)
        let outside = (shown, asks)
        files.append(path)
        shown = beside(shown, name)
        defer {
            files.removeLast()
            (shown, asks) = outside
        }
        _ = try fields.text("about")
        if let asked = try fields.text("asks") { asks.append(asked) }
        try requirements.read(&fields)
        let steps = try list(&fields, counters: counters)
        try fields.finish()
        return steps
    }

    /// The path of an included file, with `.` and `..` resolved.
    private func beside(_ file: String, _ name: String) -> String {
        guard !name.hasPrefix("/") else { return name }
        var parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().map(String.init)
        for part in name.split(separator: "/").map(String.init) where part != "." {
            if part == "..", let last = parts.last, !last.isEmpty, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    // MARK: A step

    private mutating func step(_ source: HarnessFields, _ counters: [String: Double]) throws(HarnessError)
        -> Scenario.Step
    {
        var entry = source
        let trigger = try trigger(&entry)
        if case .message(let name)? = trigger { awaited.append((name, source)) }
        let within = try entry.optionalWait("within", names: scope.names)
        let act: Scenario.Act?
        if entry.has("let") {
            act = .note(try definitions(&entry, "let"))
        } else {
            act = try Scenario.Act.read(&entry, scope: scope, folder: folder)
        }
        if case .send(let name)? = act { sent.insert(name) }
        let label = try entry.text("label")
        if let label { scope.labels.insert(label) }
        var expectation: Condition?
        if let fields = try entry.fields("expect") { expectation = try Condition(fields, scope) }
        var requirements = self.requirements
        try requirements.read(&entry)
        guard act != nil || trigger != nil || expectation != nil else {
            throw entry.missing("do", among: Scenario.Act.keys)
        }
        try entry.finish()
        return Scenario.Step(
            number: 0,
            place: shown + (source.line.map { ":\($0)" } ?? ""),
            label: label,
            trigger: trigger,
            within: within,
            act: act,
            expectation: expectation,
            counters: counters,
            asks: asks,
            requires: requirements.requires,
            alternatives: requirements.alternatives
        )
    }

    private func trigger(_ entry: inout HarnessFields) throws(HarnessError) -> Scenario.Trigger? {
        let given = ["at", "on", "after", "when", "message"].filter { entry.has($0) }
        if given.count > 1 {
            throw entry.error(given[1], "cannot be combined with \(given[0]); write two steps")
        }
        if let position = try entry.optionalExpression("at", names: scope.names) { return .at(position) }
        if let time = try entry.optionalWait("after", names: scope.names) { return .after(time) }
        if let name = try entry.text("message") { return .message(name) }
        if let fields = try entry.fields("when") { return .when(try Condition(fields, scope)) }
        if entry.shape("on") == .text { return .on(try EventMatch(kindAt: "on", in: &entry)) }
        guard let fields = try entry.fields("on") else { return nil }
        return .on(try EventMatch(fields, names: scope.names))
    }
}
