internal import Foundation
internal import SegueBase
internal import SegueCharts
internal import SegueComparison
internal import SegueEvents

/// The path of a case's event log: a folder per file, and a file per case.
struct CaseLogFile {
    private let path: String

    init(_ name: CaseName, in folder: String) {
        let parts = [name.scenario, name.client, name.app, name.network, "\(name.seed)"]
        // A title's name may contain anything, but must not lead elsewhere.
        let places = name.file.split(separator: "/").filter { $0 != "." && $0 != ".." }
        path = ([folder] + places.map(String.init) + [parts.joined(separator: ".") + ".jsonl"]).joined(separator: "/")
    }

    /// The timeline of the log, with the findings of its case; nil if the log is missing or unreadable.
    func story(_ findings: [Finding]) -> RunTimeline? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return (try? EventLog(jsonLines: String(decoding: data, as: UTF8.self))).map {
            RunTimeline(log: $0, findings: findings)
        }
    }

    /// Writes the log.
    ///
    /// - Throws: The system's error.
    func write(_ lines: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(lines.utf8).write(to: url)
    }
}
