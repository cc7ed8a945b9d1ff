/// Figures in Prometheus' text format.
package struct FigureText {
    /// What a figure does.
    package enum Kind: String {
        /// It grows.
        case counter
        /// It goes up and down.
        case gauge
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

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP segue_\(name) \(help)\n# TYPE segue_\(name) \(kind.rawValue)\n"
    }
}
