/// Metrics in the text format of Prometheus.
package struct MetricsText {
    package enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    package private(set) var text = ""

    package init() {}

    /// Adds a metric without labels.
    package mutating func add(_ name: String, as kind: Kind, help: String, _ value: some BinaryInteger) {
        begin(name, as: kind, help: help)
        text += "segue_\(name) \(value)\n"
    }

    /// Adds a metric with one label.
    ///
    /// - Parameters:
    ///   - name: The name without the prefix `segue_`.
    ///   - label: The name of the label.
    ///   - values: The label's values, and the samples.
    package mutating func add(
        _ name: String,
        as kind: Kind,
        help: String,
        by label: String,
        _ values: [(name: String, value: Int)]
    ) {
        add(name, as: kind, help: help, values.map { ([(label, $0.name)], "\($0.value)") })
    }

    /// Adds a metric with several labels or with decimal values.
    ///
    /// - Parameters:
    ///   - name: The name without the prefix `segue_`.
    ///   - samples: The labels, and the formatted samples.
    package mutating func add(
        _ name: String,
        as kind: Kind,
        help: String,
        _ samples: [(labels: [(name: String, value: String)], value: String)]
    ) {
        begin(name, as: kind, help: help)
        for sample in samples { text += "segue_\(name)\(Self.text(sample.labels)) \(sample.value)\n" }
    }

    /// Adds a histogram with one label.
    ///
    /// - Parameters:
    ///   - name: The name without the prefix `segue_`.
    ///   - label: The name of the label.
    ///   - classes: The upper bounds of the buckets, ascending.
    ///   - values: The label's values, the count in each bucket and above the last, and the sums.
    package mutating func add(
        histogram name: String,
        _ help: String,
        by label: String,
        classes: [String],
        _ values: [(name: String, counts: [Int], sum: String)]
    ) {
        begin(name, as: .histogram, help: help)
        for value in values {
            var count = 0
            for (end, number) in zip(classes + ["+Inf"], value.counts) {
                count += number
                text += "segue_\(name)_bucket\(Self.text([(label, value.name), ("le", end)])) \(count)\n"
            }
            text += "segue_\(name)_sum\(Self.text([(label, value.name)])) \(value.sum)\n"
            text += "segue_\(name)_count\(Self.text([(label, value.name)])) \(count)\n"
        }
    }

    /// Adds a metric of the process under its conventional name.
    package mutating func add(process name: String, as kind: Kind, help: String, _ value: String) {
        text += "# HELP process_\(name) \(help)\n# TYPE process_\(name) \(kind.rawValue)\nprocess_\(name) \(value)\n"
    }

    private static func text(_ labels: [(name: String, value: String)]) -> String {
        labels.isEmpty ? "" : "{" + labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private mutating func begin(_ name: String, as kind: Kind, help: String) {
        text += "# HELP segue_\(name) \(help)\n# TYPE segue_\(name) \(kind.rawValue)\n"
    }
}
