/// Figures in Prometheus' text format.
package struct FigureText {
    /// What a figure does.
    package enum Kind: String {
        /// It grows.
        case counter
        /// It goes up and down.
        case gauge
        /// How many fell into which class.
        case histogram
    }

    /// What has been added so far.
    package private(set) var text = ""

    /// No figures.
    package init() {}

    /// Adds a figure.
    package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
        begin(name, kind, help)
        text += "segue_\(name) \(value)\n"
    }

    /// Adds a figure for each of several things.
    ///
    /// - Parameters:
    ///   - name: The figure's name, without the program's.
    ///   - kind: What it does.
    ///   - help: What it is.
    ///   - label: What the things are.
    ///   - values: Each thing's name, which needs no quoting, and its figure.
    package mutating func add(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        by label: String,
        _ values: [(name: String, value: Int)]
    ) {
        begin(name, kind, help)
        for value in values { text += "segue_\(name){\(label)=\"\(value.name)\"} \(value.value)\n" }
    }

    /// Adds a figure for each of several things that have more than one label, or no whole numbers.
    ///
    /// - Parameters:
    ///   - name: The figure's name, without the program's.
    ///   - kind: What it does.
    ///   - help: What it is.
    ///   - samples: The labels of each thing, whose values need no quoting, and its figure, written out.
    package mutating func add(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        _ samples: [(labels: [(name: String, value: String)], value: String)]
    ) {
        begin(name, kind, help)
        for sample in samples { text += "segue_\(name)\(Self.text(sample.labels)) \(sample.value)\n" }
    }

    /// Adds a histogram for each of several things.
    ///
    /// - Parameters:
    ///   - name: The figure's name, without the program's.
    ///   - help: What it is.
    ///   - label: What the things are.
    ///   - classes: The upper ends of the classes, ascending.
    ///   - values: Each thing's name, how many fell into each class and above the last, and their sum.
    package mutating func add(
        histogram name: String,
        _ help: String,
        by label: String,
        classes: [String],
        _ values: [(name: String, counts: [Int], sum: String)]
    ) {
        begin(name, .histogram, help)
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

    /// Adds a figure of the whole process, under the name that all programs have for it.
    package mutating func add(process name: String, _ kind: Kind, _ help: String, _ value: String) {
        text += "# HELP process_\(name) \(help)\n# TYPE process_\(name) \(kind.rawValue)\nprocess_\(name) \(value)\n"
    }

    private static func text(_ labels: [(name: String, value: String)]) -> String {
        labels.isEmpty ? "" : "{" + labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",") + "}"
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP segue_\(name) \(help)\n# TYPE segue_\(name) \(kind.rawValue)\n"
    }
}
