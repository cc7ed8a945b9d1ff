import SegueOrigin

/// The commands for the state of the server.
struct StatusCommands: CommandFamily {
    let facts: ServerFacts

    /// The health check, which works however busy the workers are.
    var health: [ServerCommand] {
        [
            ServerCommand(
                .health,
                "",
                at: "health",
                expect: [
                    .status(200), .header("Content-Type", startsWith: "text/plain"),
                    .header("Cache-Control", "no-store"),
                    .begins([Array("ok".utf8), Array("busy".utf8)], "'ok' or 'busy'"),
                ]
            ).with([]),
            ServerCommand(
                .health,
                "a longer path",
                at: "health/more",
                expect: [.status(404), .error("notFound")]
            ),
        ]
    }

    var metrics: [ServerCommand] {
        [
            ServerCommand(
                .metrics,
                "",
                at: "metrics",
                expect: [
                    .status(200), .header("Content-Type", startsWith: "text/plain; version=0.0.4"),
                    .header("Cache-Control", "no-store"), .wholeLength, .prometheusText,
                ]
            ).with([])
        ]
    }
}

extension Expectation {
    /// The Prometheus text format: comments, and lines with a name, optional labels, and a number.
    static let prometheusText = Expectation("Prometheus's text format") { answer in
        guard let text = answer.text, text.hasSuffix("\n") else { return "the last line has no line feed" }
        var typed: Set<Substring> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") {
                let name = line.dropFirst(7).prefix { $0 != " " }
                guard typed.insert(name).inserted else { return "\(name) has two TYPE lines" }
            }
            if line.hasPrefix("#") { continue }
            guard let space = line.lastIndex(of: " "), Double(line[line.index(after: space)...]) != nil else {
                return "a line without a number: \(line)"
            }
            let name = line.prefix { $0 != "{" && $0 != " " }
            guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") }) else {
                return "a line with an invalid name: \(line)"
            }
            let families = ["_bucket", "_sum", "_count"].compactMap {
                name.hasSuffix($0) ? name.dropLast($0.count) : nil
            }
            if !typed.contains(name), !families.contains(where: typed.contains) { return "\(name) has no TYPE line" }
        }
        return typed.isEmpty ? "there are no metrics" : nil
    }
}
