internal import SegueBase
package import SegueData
internal import SegueEvents

extension Scenario {
    /// Reads a scenario file; `Harness/scenarios/README.md` describes its keys.
    ///
    /// `folder` is the data folder for networks by name.
    ///
    /// - Throws: ``HarnessError`` for the first error, with file, line, and key.
    package init(fileAt path: String, in folder: HarnessFolder? = nil) throws(HarnessError) {
        try self.init(HarnessFile.fields(ofFileAt: path), in: folder)
    }

    /// Reads a scenario from the keys of a data file.
    ///
    /// `folder` is the data folder for networks by name.
    ///
    /// - Throws: ``HarnessError`` for the first error.
    package init(_ source: HarnessFields, in folder: HarnessFolder? = nil) throws(HarnessError) {
        var fields = source
        name = try fields.requiredText("name")
        about = try fields.requiredText("about")
        platform = try Scenario.platform("platform", &fields, folder)
        titlesPlatform = try Scenario.platform("titles-platform", &fields, folder) ?? platform
        think = Duration(try fields.number("think") ?? Rational(1, 100))
        guard think >= .zero else { throw fields.error("think", "must not be negative") }
        within = Duration(try fields.number("within") ?? Rational(60))
        guard within > .zero else { throw fields.error("within", "must be above 0") }
        for (key, wait) in [("think", think), ("within", within)] where wait.seconds > ExpressionBounds.longestWait {
            throw fields.error(key, "must be at most \(Int(ExpressionBounds.longestWait)) seconds")
        }
        withoutRules = try Scenario.withoutRules(&fields, folder)
        needs = try Needs(&fields)
        var reader = StepListReader(file: fields.file, folder: folder)
        definitions = try reader.definitions(&fields, "let")
        var tracks = [Track(name: "", steps: try reader.steps(of: &fields))]
        for entry in try fields.list("tracks") {
            var entry = entry
            let name = try entry.requiredText("name")
            guard !tracks.contains(where: { $0.name == name }) else { throw entry.error("name", "is used twice") }
            tracks.append(Track(name: name, steps: try reader.steps(of: &entry)))
            try entry.finish()
        }
        self.tracks = tracks
        try fields.finish()
        try reader.checkMessages()
    }

    /// Reads a default platform, which must exist if the data folder is known.
    private static func platform(
        _ key: String,
        _ fields: inout HarnessFields,
        _ folder: HarnessFolder?
    ) throws(HarnessError) -> String? {
        let platform = try fields.text(key)
        guard let platform, let folder else { return platform }
        do {
            _ = try folder.file(platform, of: .platforms)
        } catch {
            throw fields.error(key, error.message)
        }
        return platform
    }

    /// Reads the rules that are broken on purpose, which must exist if the data folder is known.
    private static func withoutRules(_ fields: inout HarnessFields, _ folder: HarnessFolder?) throws(HarnessError)
        -> [String]
    {
        guard let names = try fields.texts("without-rules") else { return [] }
        guard let folder else { return names }
        // Expected errors also matter where nothing is judged.
        let known = Set(try RuleBook.names(in: folder) + [Scenario.errorRule])
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw fields.error("without-rules", UnknownName(unknown, among: Array(known)).description)
        }
        return names
    }
}

extension Scenario.Needs {
    fileprivate init(_ fields: inout HarnessFields) throws(HarnessError) {
        guard var needed = try fields.fields("needs") else { return }
        audio = try needed.flag("sound") ?? false
        video = try needed.flag("picture") ?? false
        seconds = try needed.number("seconds") ?? .zero
        seekable = try needed.flag("seekable") ?? false
        items = try needed.integer("items", in: 1...100) ?? 1
        try needed.finish()
    }
}
