internal import Foundation
internal import SegueBase
internal import SegueCharts
internal import SegueEvents

/// Where the event log of a case goes: a folder for each file, and in it a file for each case.
struct CaseLogFile {
    private let path: String

    init(_ name: CaseName, in folder: String) {
        let parts = [name.scenario, name.platform, name.app, name.network, "\(name.seed)"]
        // A title's name may hold anything, and leads nowhere else.
        let places = name.file.split(separator: "/").filter { $0 != "." && $0 != ".." }
        path = ([folder] + places.map(String.init) + [parts.joined(separator: ".") + ".jsonl"]).joined(separator: "/")
    }

    /// What is shown of the log in a picture; nil where there is none, or none that can be read.
    var story: RunStory? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return (try? EventLog(jsonLines: String(decoding: data, as: UTF8.self))).map { RunStory(log: $0) }
    }

    /// Writes the log's lines.
    ///
    /// - Throws: The system's error when it cannot be written.
    func write(_ lines: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(lines.utf8).write(to: url)
    }
}
