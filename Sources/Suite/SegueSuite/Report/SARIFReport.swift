package import Foundation
internal import SegueBase
internal import SegueComparison
internal import SegueFFmpeg

/// The report in the Static Analysis Results Interchange Format 2.1.0 (OASIS), which code hosts show beside a change.
///
/// All findings in a title with one cause are one result, however many cases it affects.
package enum SARIFReport {
    /// Writes the report piece by piece.
    ///
    /// - Throws: `Errno` if the outcomes cannot be read, or an error of `write`.
    package static func write(
        _ report: SuiteReport,
        of command: String = "regress",
        to write: (Data) throws -> Void
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var (rules, places): ([String], [String: Int]) = ([], [:])
        var notifications: [Notification] = []
        let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
        try write(Data("{\"$schema\":\"\(schema)\",\"version\":\"2.1.0\",\"runs\":[{\"results\":[".utf8))
        var separator = "\n"
        try report.outcomes.eachFile { outcomes in
            var causes = FindingCauses()
            for outcome in outcomes { causes.add(outcome.result) }
            guard let file = outcomes.first?.result.name.file else { return }
            let location = Location(report.places[file] ?? SourcePlace(path: file), of: file)
            for cause in causes.ordered {
                switch cause.verdict {
                case .skip: continue
                case .broken: notifications.append(Notification(cause, at: location))
                case .fail, .known, .pass:
                    if places[cause.rule] == nil {
                        places[cause.rule] = rules.count
                        rules.append(cause.rule)
                    }
                    let result = Result(cause, in: file, at: location, ruleIndex: places[cause.rule] ?? 0)
                    try write(Data(separator.utf8) + encoder.encode(result))
                    separator = ",\n"
                }
            }
        }
        func member(_ name: String, _ value: some Encodable) throws {
            try write(Data(",\n\"\(name)\":".utf8) + encoder.encode(value))
        }
        try write(Data("]".utf8))
        let isWhole = report.summary.broken == 0 && report.summary.planned == nil
        try member("invocations", [Invocation(isWhole, notifications)])
        try member("automationDetails", ["id": "segue-\(command)/"])
        let about = rules.map { Rule(id: $0, shortDescription: Text(text: report.abouts[$0] ?? $0)) }
        let driver = Driver(version: report.run?.version, rules: about)
        try member("tool", ["driver": driver])
        try write(Data("}]}\n".utf8))
    }

    private struct Text: Encodable {
        let text: String
    }

    private struct Rule: Encodable {
        let id: String
        let shortDescription: Text
    }

    private struct Driver: Encodable {
        let name = "Segue"
        let version: String?
        let rules: [Rule]
    }

    private struct Invocation: Encodable {
        let executionSuccessful: Bool
        let toolExecutionNotifications: [Notification]

        init(_ isWhole: Bool, _ notifications: [Notification]) {
            (executionSuccessful, toolExecutionNotifications) = (isWhole, notifications)
        }
    }

    private struct Notification: Encodable {
        let level = "error"
        let message: Text
        let locations: [Location]

        init(_ cause: FindingCause, at location: Location) {
            message = Text(text: "\(cause.rule): \(cause.message) (\(cause.reach))")
            locations = [location]
        }
    }

    private struct Suppression: Encodable {
        let kind = "external"
        let justification: String
    }

    private struct Properties: Encodable {
        let networks: [String]
        let platforms: [String]
        let scenarios: [String]
        let apps: [String]
        let also: [String]
    }

    private struct Result: Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Text
        let locations: [Location]
        let occurrenceCount: Int
        let partialFingerprints: [String: String]
        let suppressions: [Suppression]?
        let properties: Properties

        init(_ cause: FindingCause, in file: String, at location: Location, ruleIndex: Int) {
            ruleId = cause.rule
            self.ruleIndex = ruleIndex
            level = cause.verdict == .pass ? "note" : "error"
            message = Text(text: "\(cause.message) (\(cause.reach))")
            locations = [location]
            occurrenceCount = cause.cases
            partialFingerprints = ["cause/v1": Checksum.sha256(Array("\(file)\n\(cause.shape)".utf8))]
            suppressions =
                cause.verdict == .known
                ? cause.issues.names.map { Suppression(justification: "known issue: \($0)") } : nil
            properties = Properties(
                networks: cause.networks.names,
                platforms: cause.platforms.names,
                scenarios: cause.scenarios.names,
                apps: cause.apps.names,
                also: cause.also.names
            )
        }
    }

    private struct Location: Encodable {
        private struct Physical: Encodable {
            let artifactLocation: [String: String]
            let region: [String: Int]
        }

        private let physicalLocation: Physical
        private let logicalLocations: [[String: String]]

        /// The location of a file or title.
        ///
        /// Media files have no lines, but GitHub rejects a report with a result without a line, and schemes other than
        /// `file`.
        init(_ place: SourcePlace, of file: String) {
            physicalLocation = Physical(artifactLocation: place.artifact, region: ["startLine": place.line ?? 1])
            logicalLocations = [["fullyQualifiedName": file, "kind": "resource"]]
        }
    }
}

extension SourcePlace {
    /// A URI relative to the root of the checkout, or a file URI (RFC 3986, 4.2); a web address without its scheme.
    fileprivate var artifact: [String: String] {
        var rest = path[...]
        for scheme in ["https://", "http://"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
        while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
        let allowed = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=@/"
        )
        let coded = rest.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        guard coded.hasPrefix("/") else { return ["uri": coded, "uriBaseId": "%SRCROOT%"] }
        return ["uri": "file://" + coded]
    }
}
