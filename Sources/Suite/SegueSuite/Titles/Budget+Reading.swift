internal import SegueData
internal import SegueEvents

extension Budget {
    /// Reads budgets from a mapping of metrics to comparisons, or to numbers as upper limits.
    ///
    /// - Throws: `HarnessError` for an unknown metric or an invalid comparison.
    static func budgets(in fields: HarnessFields) throws(HarnessError) -> [Budget] {
        var fields = fields
        var budgets: [Budget] = []
        for metric in Metric.allCases {
            guard let text = try fields.text(metric.rawValue) else { continue }
            let isNumber = text.first.map { $0.isNumber || $0 == "." } ?? false
            let comparison = try fields.comparison(metric.rawValue, isNumber ? "<= \(text)" : text, names: [])
            budgets.append(Budget(metric, comparison))
        }
        try fields.finish()
        return budgets
    }
}
