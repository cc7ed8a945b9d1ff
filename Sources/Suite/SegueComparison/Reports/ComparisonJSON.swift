package import Foundation

/// The comparison as JSON: a list for each kind of change, with the keys of each case.
package enum ComparisonJSON {
    /// Writes the JSON piece by piece.
    ///
    /// - Throws: An error of `write`, or an `EncodingError` for a figure that JSON cannot represent.
    package static func write(_ runs: ComparedRuns, to write: (Data) throws -> Void) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let comparison = runs.comparison
        let lists = [
            ("new", comparison.new), ("mended", comparison.mended), ("worse", comparison.worse),
            ("better", comparison.better), ("gone", comparison.gone), ("added", comparison.added),
            ("excused", comparison.excused),
        ]
        try write(Data("{\"schema\":1".utf8))
        for (name, changes) in lists {
            try write(Data(",\n\"\(name)\":[".utf8))
            for (number, change) in changes.enumerated() {
                try write(Data((number == 0 ? "\n  " : ",\n  ").utf8) + encoder.encode(Entry(change)))
            }
            try write(Data("]".utf8))
        }
        for (name, side) in [("oldRun", runs.old), ("newRun", runs.new)] {
            let entry = SideEntry(title: side.title, cases: side.cases, run: side.facts)
            try write(Data(",\n\"\(name)\":".utf8) + encoder.encode(entry))
        }
        let (unchanged, still) = (comparison.unchanged, comparison.stillFailing)
        try write(Data(",\n\"summary\":{\"unchanged\":\(unchanged),\"stillFailing\":\(still)}}\n".utf8))
    }

    private struct SideEntry: Encodable {
        let title: String
        let cases: Int
        let run: RunFacts
    }

    private struct Entry: Encodable {
        let change: RunComparison.Change

        init(_ change: RunComparison.Change) { self.change = change }

        enum Key: String, CodingKey { case formerApp, was, verdict, findings, metric, before, after, tolerance }

        func encode(to encoder: any Encoder) throws {
            try change.name.encode(to: encoder)
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encodeIfPresent(change.formerApp, forKey: .formerApp)
            try fields.encode(change.was, forKey: .was)
            try fields.encode(change.verdict, forKey: .verdict)
            if let metric = change.metric {
                try fields.encode(metric.name, forKey: .metric)
                try fields.encode(metric.before, forKey: .before)
                try fields.encode(metric.after, forKey: .after)
                try fields.encode(metric.tolerance, forKey: .tolerance)
            } else {
                try fields.encode(change.findings, forKey: .findings)
            }
        }
    }
}
