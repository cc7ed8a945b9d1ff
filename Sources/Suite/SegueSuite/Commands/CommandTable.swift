package import Foundation
import SegueBase
import SegueOrigin

/// The results of a run by route, as text, JSON, and JUnit XML.
package struct CommandTable {
    package static var routes: [String] { RouteName.allCases.map(\.rawValue) }

    private let results: [CommandRun.Result]

    /// The table of a run, restricted to routes if any are given.
    package init(_ run: CommandRun, routes: [String]? = nil) {
        let order = Dictionary(uniqueKeysWithValues: RouteName.allCases.enumerated().map { ($0.element, $0.offset) })
        results = run.results.filter { routes?.contains($0.command.route.rawValue) ?? true }.sorted { left, right in
            let (a, b) = (left.command, right.command)
            return (order[a.route] ?? 0, a.target, a.name, a.method) < (order[b.route] ?? 0, b.target, b.name, b.method)
        }
    }

    /// The number of commands sent.
    package var count: Int { results.count }

    /// A line per command with its expectation and result.
    package var lines: [String] {
        results.map { result in
            let wanted = result.command.expected.map(\.text).joined(separator: "; ")
            return "\(result.findings.isEmpty ? "ok  " : "FAIL") \(Self.title(result.command)) -> \(wanted)"
        }
    }

    /// A line per unmet expectation.
    package var findings: [String] {
        results.flatMap { result in
            result.findings.map { "\(Self.title(result.command)): \($0)" }
        }
    }

    /// The number of commands and failures by route.
    package func summary(after seconds: Double) -> String {
        let routes = RouteName.allCases.compactMap { route -> String? in
            let own = results.filter { $0.command.route == route }
            guard !own.isEmpty else { return nil }
            let failed = own.count { !$0.findings.isEmpty }
            let name = route.rawValue.padding(toLength: 16, withPad: " ", startingAt: 0)
            return "\(name) \(own.count) commands\(failed == 0 ? "" : ", \(failed) failed")"
        }
        let failed = results.count { !$0.findings.isEmpty }
        let time = DecimalText.short(units: Int64((seconds * 100).rounded()), places: 2)
        return routes.joined(separator: "\n") + "\n\(results.count) commands, \(failed) failed, in \(time) s"
    }

    package func json(after seconds: Double) throws -> Data {
        struct Document: Encodable {
            struct Command: Encodable {
                var route, name, method, target: String
                var headers: [String: String]
                var expected: [String]
                var status: Int
                var findings: [String]
                var seconds: Double
            }

            var schema = 1
            var commands: [Command]
            var failed: Int
            var wallSeconds: Double
        }
        let commands = results.map { result in
            let command = result.command
            return Document.Command(
                route: command.route.rawValue,
                name: command.name,
                method: command.method,
                target: command.target,
                headers: Dictionary(command.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" }),
                expected: command.expected.map(\.text),
                status: result.status,
                findings: result.findings,
                seconds: result.seconds
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let failed = results.count { !$0.findings.isEmpty }
        return try encoder.encode(Document(commands: commands, failed: failed, wallSeconds: seconds))
    }

    /// The results as JUnit XML: a suite per route, a test per command.
    package var junit: String {
        let failed = results.count { !$0.findings.isEmpty }
        var xml = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
        xml += #"<testsuites name="segue commands" tests="\#(results.count)" failures="\#(failed)">"# + "\n"
        for route in RouteName.allCases {
            let own = results.filter { $0.command.route == route }
            guard !own.isEmpty else { continue }
            let bad = own.count { !$0.findings.isEmpty }
            xml += #"  <testsuite name="\#(route.rawValue)" tests="\#(own.count)" failures="\#(bad)">"# + "\n"
            for result in own {
                let name = MarkupText.escaped(Self.title(result.command))
                xml += #"    <testcase name="\#(name)" classname="\#(route.rawValue)" time="\#(result.seconds)""#
                guard let first = result.findings.first else {
                    xml += "/>\n"
                    continue
                }
                let all = MarkupText.escaped(result.findings.joined(separator: "\n"))
                xml += #"><failure message="\#(MarkupText.escaped(first))">\#(all)</failure></testcase>"# + "\n"
            }
            xml += "  </testsuite>\n"
        }
        return xml + "</testsuites>\n"
    }

    private static func title(_ command: ServerCommand) -> String {
        let headers = command.headers.map { " [\($0.name): \($0.value)]" }.joined()
        let name = command.name.isEmpty ? "" : " (\(command.name))"
        let target = command.target.count > 120 ? command.target.prefix(100) + "…" : command.target[...]
        return "\(command.method) /\(target)\(headers)\(name)"
    }
}
