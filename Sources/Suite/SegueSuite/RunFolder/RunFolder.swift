internal import Foundation
internal import Glibc

/// The folder of a run: `run.json`, which says what it is; `results.jsonl`, where each case's result is as soon as the
/// case has ended; `logs`, with the event log of each; and the reports, when it has come to its end.
package final class RunFolder {
    /// The folder's path.
    package let path: String
    /// What the run is.
    package let header: RunHeader
    /// The results.
    package let results: RunResults
    private let lock: RunLock?

    /// The folder for the event logs.
    package var logs: String { "\(path)/logs" }

    private init(_ path: String, _ header: RunHeader, _ results: RunResults, _ lock: RunLock?) {
        (self.path, self.header, self.results, self.lock) = (path, header, results, lock)
    }

    /// Begins a run.
    ///
    /// - Throws: ``RunFolderError`` where the folder cannot be made, is somebody else's, or holds something already.
    package static func begin(_ path: String, _ header: RunHeader) throws(RunFolderError) -> RunFolder {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            // Foundation's error does not say why; the system's own call does.
            guard mkdir(path, 0o777) != 0 else { throw RunFolderError(path, error.localizedDescription) }
            throw RunFolderError(system: path)
        }
        let lock = try RunLock(folder: path)
        let held = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        if held.contains("run.json") {
            throw RunFolderError(path, "has a run in it; go on with it by --resume, or name another folder")
        }
        // A run that was ended before it had begun leaves no more than these.
        guard held.allSatisfy({ ["lock", "run.json.new"].contains($0) }) else {
            throw RunFolderError(path, "is not empty; name a folder for the run alone")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try write(try encoder.encode(header) + Data("\n".utf8), to: "\(path)/run.json")
        } catch let error as RunFolderError {
            throw error
        } catch {
            throw RunFolderError(path, "\(error)")
        }
        let results = try RunResults(path: "\(path)/results.jsonl", table: header.table, isWritable: true)
        return RunFolder(path, header, results, lock)
    }

    /// Opens the folder of a run.
    ///
    /// - Parameters:
    ///   - isWritable: Whether the run is to go on; nobody else may be at work on it then.
    /// - Throws: ``RunFolderError`` where there is no run in it, or none that can be read.
    package static func open(_ path: String, isWritable: Bool) throws(RunFolderError) -> RunFolder {
        let file = "\(path)/run.json"
        guard FileManager.default.fileExists(atPath: file) else {
            throw RunFolderError(path, "has no run in it; begin one with --run")
        }
        let lock = isWritable ? try RunLock(folder: path) : nil
        guard let data = FileManager.default.contents(atPath: file) else { throw RunFolderError(system: file) }
        let header: RunHeader
        do {
            header = try JSONDecoder().decode(RunHeader.self, from: data)
        } catch {
            throw RunFolderError(file, "is not what this segue writes: \(error)")
        }
        guard header.format == RunHeader.format else {
            throw RunFolderError(file, "has format \(header.format), and this segue reads \(RunHeader.format)")
        }
        guard header.isSound else { throw RunFolderError(file, "names cases that it cannot have") }
        let results = try RunResults(path: "\(path)/results.jsonl", table: header.table, isWritable: isWritable)
        return RunFolder(path, header, results, lock)
    }

    /// Writes a file of the folder, which is there whole or not at all.
    private static func write(_ data: Data, to path: String) throws(RunFolderError) {
        do {
            try data.write(to: URL(fileURLWithPath: path + ".new"))
        } catch {
            throw RunFolderError(path, "\(error)")
        }
        guard rename(path + ".new", path) == 0 else { throw RunFolderError(system: path) }
    }

    /// What is left to do of tasks.
    ///
    /// - Parameter tasks: All of the suite, in its order.
    /// - Returns: Those of this run that have cases without a result, with these cases alone; and the same with all
    ///   cases that the run has of them.
    package func left(of tasks: [FileTask]) -> (tasks: [FileTask], whole: [FileTask]) {
        var left: (tasks: [FileTask], whole: [FileTask]) = ([], [])
        for (file, range) in ranges where !range.isEmpty {
            var (task, whole) = (tasks[file], tasks[file])
            whole.cases = Array(whole.cases[range])
            task.cases = range.filter { !results.wasRun(file: file, case: $0) }.map { tasks[file].cases[$0] }
            guard !task.cases.isEmpty else { continue }
            left.tasks.append(task)
            left.whole.append(whole)
        }
        return left
    }

    /// How many cases of the run have no result.
    var leftCount: Int {
        ranges.reduce(0) { sum, part in
            sum + part.range.count { !results.hasResult(file: part.file, case: $0) }
        }
    }

    /// The cases of the run, by file.
    private var ranges: [(file: Int, range: Range<Int>)] {
        let table = results.table
        guard let part = header.part else { return table.files.indices.map { ($0, 0..<table.cases.count) } }
        return part.cases.map { ($0.file, $0.from..<$0.to) }
    }
}
