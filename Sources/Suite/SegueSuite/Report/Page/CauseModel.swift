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

        fileprivate init(_ numbers: [Int], of all: FindingCauses, in rows: PageRows, isRemarks: Bool) {
            let limit = ReportModel.limits.causes
            remarks = isRemarks ? numbers.count : nil
            causes = numbers.prefix(limit).map { CauseModel(all.causes[$0], number: $0, in: rows) }
            moreCauses = numbers.count > limit ? numbers.count - limit : nil
        }
    }

    private let number, count: Int
    private let verdict, rule, message, reach: String
    private let also, issues: String?
    private let example: ReportModel.CaseLink

    private init(_ cause: FindingCause, number: Int, in rows: PageRows) {
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
            failures.isEmpty ? nil : List(failures, of: causes, in: rows, isRemarks: false),
            remarks.isEmpty ? nil : List(remarks, of: causes, in: rows, isRemarks: true),
        ].compactMap(\.self)
    }

    private static func list(_ names: [String]) -> String? {
        names.isEmpty ? nil : ReportModel.printable(names.joined(separator: ", "))
    }

    /// The part of the suite that has the cause.
    private static func reach(_ cause: FindingCause, _ rows: PageRows) -> String {
        func part(_ tally: NameCounts, of all: NameCounts, noun: String) -> String? {
            guard all.count > 1 else { return nil }
            if tally.count == all.count { return "all \(all.count) \(noun)s" }
            if tally.count == 1 { return "only \(noun) \(tally.names[0])" }
            return tally.count > 3
                ? "\(tally.count) of \(all.count) \(noun)s" : "\(noun)s \(tally.names.joined(separator: ", "))"
        }
        return [
            part(cause.titles, of: rows.titles, noun: "title"),
            part(cause.networks, of: rows.networks, noun: "network"),
            part(cause.platforms, of: rows.platforms, noun: "platform"),
            part(cause.scenarios, of: rows.scenarios, noun: "scenario"), part(cause.apps, of: rows.apps, noun: "app"),
        ].compactMap(\.self).joined(separator: " · ")
    }
}
