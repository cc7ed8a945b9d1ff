internal import SegueComparison

/// The changes since the last run, as values of the report template.
struct NewsModel {
    private struct Kind {
        let heading: String
        let changedCases: Int
        let isOpen: Bool
        /// The name of this kind of change in addresses; nil for cases that are not in the report.
        let filter: String?
        let changeCauses: [Cause]
        let moreChangeCauses: Int?
    }

    private struct Cause {
        let cause, reach: String
        let links: [ReportModel.CaseLink]
        /// The names of cases that are not in the report.
        let names: [String]
        let moreCases: Int?
    }

    private let formerRun, sum: String
    private let changes: [Kind]

    init(_ runs: ComparedRuns, isComplete: Bool) {
        (formerRun, sum) = (ReportModel.printable(runs.old.words), ReportModel.printable(runs.sum))
        // Cases that have not run yet are not gone.
        changes = runs.sections.filter { isComplete || $0.title != Self.gone }.map(Self.kind)
    }

    private static let gone = "gone"

    private static let filters = [
        "new failures": "new", "worse": "worse", "fixed": "mended", "better": "better", "now known issues": "excused",
        "added": "added",
    ]

    private static func kind(_ title: String, _ changes: [RunComparison.Change]) -> Kind {
        let (causes, limit) = (ChangeCause.of(changes), ReportModel.limits.causes)
        return Kind(
            heading: title.prefix(1).uppercased() + title.dropFirst(),
            changedCases: changes.count,
            isOpen: title == "new failures" || title == "worse",
            filter: filters[title],
            changeCauses: causes.prefix(limit).map { cause($0, isInReport: title != gone) },
            moreChangeCauses: causes.count > limit ? causes.count - limit : nil
        )
    }

    private static func cause(_ cause: ChangeCause, isInReport: Bool) -> Cause {
        let links = cause.changes.prefix(ReportModel.limits.cases).map { ReportModel.CaseLink($0.name) }
        let left = cause.changes.count - links.count
        return Cause(
            cause: ReportModel.printable(cause.title),
            reach: ReportModel.printable(cause.reach),
            links: isInReport ? links : [],
            names: isInReport ? [] : links.map(\.name),
            moreCases: left > 0 ? left : nil
        )
    }
}
