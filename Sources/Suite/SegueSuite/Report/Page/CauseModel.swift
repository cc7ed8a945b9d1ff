internal import SegueBase
internal import SegueComparison

/// A cause, as values of the report template.
struct CauseModel {
    /// Causes of failures, or the reasons and remarks of cases that did not fail.
    struct List {
        /// The count of reasons and remarks; nil for causes of failures.
        let remarks: Int?
        fileprivate let causes: [CauseModel]
        fileprivate let moreCauses: Int?

        fileprivate init(_ numbers: [Int], _ all: FindingCauses, _ rows: PageRows, isRemarks: Bool) {
            let limit = ReportModel.limits.causes
            remarks = isRemarks ? numbers.count : nil
            causes = numbers.prefix(limit).map { CauseModel($0, all.causes[$0], rows) }
            moreCauses = numbers.count > limit ? numbers.count - limit : nil
        }
    }

    private let number, count: Int
    private let verdict, rule, message, reach: String
    private let also, issues: String?
    private let example: ReportModel.CaseLink

    private init(_ number: Int, _ cause: FindingCause, _ rows: PageRows) {
        (self.number, count, verdict) = (number, cause.cases, cause.verdict.rawValue)
        (rule, message) = (ReportModel.printable(cause.rule), ReportModel.printable(cause.message))
        reach = ReportModel.printable(Self.reach(cause, rows))
        also = Self.list(zip(cause.also.names, cause.also.counts).map { "\($0) (\($1))" })
        issues = Self.list(cause.issues.names)
        example = ReportModel.CaseLink(cause.example)
    }

    /// The causes of failures, then the rest; a list without entries is left out.
    static func lists(_ causes: FindingCauses, _ rows: PageRows) -> [List] {
        let isRemark = { (number: Int) in [.skip, .pass].contains(causes.causes[number].verdict) }
        let (failures, remarks) = (causes.order.filter { !isRemark($0) }, causes.order.filter(isRemark))
        return [
            failures.isEmpty ? nil : List(failures, causes, rows, isRemarks: false),
            remarks.isEmpty ? nil : List(remarks, causes, rows, isRemarks: true),
        ].compactMap(\.self)
    }

    private static func list(_ names: [String]) -> String? {
        names.isEmpty ? nil : ReportModel.printable(names.joined(separator: ", "))
    }

    /// The part of the suite that has the cause.
    private static func reach(_ cause: FindingCause, _ rows: PageRows) -> String {
        func part(_ tally: NameCounts, _ all: NameCounts, _ one: String, _ several: String) -> String? {
            guard all.count > 1 else { return nil }
            if tally.count == all.count { return "all \(all.count) \(several)" }
            if tally.count == 1 { return "only \(one) \(tally.names[0])" }
            return tally.count > 3
                ? "\(tally.count) of \(all.count) \(several)" : "\(several) \(tally.names.joined(separator: ", "))"
        }
        return [
            part(cause.titles, rows.titles, "title", "titles"),
            part(cause.networks, rows.networks, "network", "networks"),
            part(cause.platforms, rows.platforms, "platform", "platforms"),
            part(cause.scenarios, rows.scenarios, "scenario", "scenarios"), part(cause.apps, rows.apps, "app", "apps"),
        ].compactMap(\.self).joined(separator: " · ")
    }
}
