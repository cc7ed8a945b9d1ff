internal import SegueData
internal import SegueEvents

extension Budget {
    /// Takes budgets out of a mapping of metrics to what they must be: a comparison, or a number that it may be at the most.
    ///
    /// - Throws: `HarnessError` for a metric that is not there, and for what is no comparison of numbers.
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
