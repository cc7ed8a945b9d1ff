internal import SegueComparison
internal import SegueData

extension Suite {
    /// A sentence for each title without a case in this run, since its own scenarios or networks are not among those
    /// of the run.
    package var unselected: [String] {
        titles.compactMap { title in reason(toOmit: title).map { "\(title.name) has no case in this run: it \($0)" } }
    }

    /// Checks that each title list, and each scenario and network that was asked for, has a case.
    ///
    /// - Throws: ``HarnessError`` with the reason for the first that has none.
    func checkSelection(_ choices: SuiteChoices) throws(HarnessError) {
        let lists = Dictionary(grouping: titles.filter { $0.place != nil }) { $0.place?.path ?? "" }
        for (list, titles) in lists.sorted(by: { $0.key < $1.key }) {
            let reasons = titles.compactMap { title in reason(toOmit: title).map { "\(title.name) \($0)" } }
            guard reasons.count == titles.count, let first = reasons.first else { continue }
            let more = reasons.count > 1 ? " (and \(reasons.count - 1) more)" : ""
            throw HarnessError(file: list, message: "selects no case of this run: \(first)\(more)")
        }
        if choices.scenarios != nil {
            try check("--scenario", matrix.scenarios.map(\.name), of: \.scenarios)
        }
        if choices.networks != nil { try check("--network", matrix.networks, of: \.networks) }
    }

    /// Checks that at least one file or title goes through each of some names.
    private func check(
        _ option: String,
        _ names: [String],
        of key: KeyPath<CaseSelection, [String]>
    ) throws(HarnessError) {
        let own = selections.map { $0[keyPath: key] }
        for name in names where !own.contains(where: { $0.isEmpty || $0.contains(name) }) {
            let used = Set(own.joined()).sorted().joined(separator: ", ")
            throw HarnessError(
                file: option,
                key: name,
                message: "selects no case: the titles go through \(used) only"
            )
        }
    }

    /// The reason why no case of the run concerns a title; nil if one does.
    private func reason(toOmit title: Title) -> String? {
        func missing(_ kind: String, _ own: [String], _ run: [String]) -> String? {
            guard !own.isEmpty, Set(own).isDisjoint(with: run) else { return nil }
            return "goes through the \(kind) \(own.joined(separator: ", ")) only, and the run has "
                + run.joined(separator: ", ")
        }
        return missing("scenarios", title.selection.scenarios, matrix.scenarios.map(\.name))
            ?? missing("networks", title.selection.networks, matrix.networks)
    }
}
