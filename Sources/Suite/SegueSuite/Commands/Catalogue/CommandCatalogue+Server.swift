import SegueOrigin

extension CommandCatalogue {
    /// The health check, which works however busy the workers are.
    var healthCommands: [ServerCommand] {
        [
            ServerCommand(
                .health,
                "",
                "health",
                expect: [
                    .status(200), .header("Content-Type", startsWith: "text/plain"),
                    .header("Cache-Control", "no-store"),
                    .begins([Array("ok".utf8), Array("busy".utf8)], "'ok' or 'busy'"),
                ]
            ).with([]),
            ServerCommand(
                .health,
                "a longer path",
                "health/more",
                expect: [.status(404), .error("notFound")]
            ),
        ]
    }

    var metricsCommands: [ServerCommand] {
        [
            ServerCommand(
                .metrics,
                "",
                "metrics",
                expect: [
                    .status(200), .header("Content-Type", startsWith: "text/plain; version=0.0.4"),
                    .header("Cache-Control", "no-store"), .wholeLength, .prometheusText,
                ]
            ).with([])
        ]
    }

    var radioCommands: [ServerCommand] {
        func listening(_ name: String, _ target: String, _ type: String, _ more: [Expectation] = []) -> ServerCommand {
            var command = ServerCommand(
                .radio,
                name,
                target,
                headers: [("Icy-MetaData", "1")],
                expect: [
                    .status(200), .header("Content-Type", type), .header("Accept-Ranges", "none"),
                    .hasHeader("icy-metaint"),
                ] + more
            )
            command.enough = 20_000
            return command
        }
        return [
            listening(
                "MP3",
                "radio",
                "audio/mpeg",
                [.begins([[0xFF, 0xFB], [0xFF, 0xFA], Array("ID3".utf8)], "MP3")]
            ),
            listening("AAC", "radio?format=aac", "audio/aac", [.begins([[0xFF, 0xF1], [0xFF, 0xF9]], "ADTS")]),
            listening("shuffled", "radio?shuffle=7", "audio/mpeg"),
            ServerCommand(
                .radio,
                "an unknown folder",
                "radio?folder=none-of-them",
                expect: [.status(422), .error("noItems")]
            ),
        ] + refused(.radio, "radio", "format", ["ogg"]) + refused(.radio, "radio", "shuffle", ["x", "-1"])
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
