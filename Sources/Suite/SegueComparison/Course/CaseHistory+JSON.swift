extension CaseHistory: Encodable {
    private enum Key: String, CodingKey { case `case`, runs }
    private enum PointKey: String, CodingKey { case number, run, verdict, findings, metrics, seconds }

    /// Encodes the keys of the case, and for each run its facts and its result.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(name, forKey: .case)
        var runs = fields.nestedUnkeyedContainer(forKey: .runs)
        for point in points {
            var run = runs.nestedContainer(keyedBy: PointKey.self)
            try run.encode(point.run, forKey: .number)
            try run.encode(point.facts, forKey: .run)
            try run.encode(point.result.verdict, forKey: .verdict)
            try run.encode(point.result.findings, forKey: .findings)
            try run.encode(point.result.metrics, forKey: .metrics)
            try run.encodeIfPresent(point.result.seconds, forKey: .seconds)
        }
    }
}
