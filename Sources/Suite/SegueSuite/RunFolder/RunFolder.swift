internal import Foundation
internal import Glibc

/// The folder of a run: `run.json` with its header, `results.jsonl` with the result of each case, `logs` with the event
/// logs, and at the end the reports.
package final class RunFolder {
    package let path: String
    package let header: RunHeader
    package let results: RunResults
    private let lock: RunLock?

    /// The folder of the event logs.
    package var logs: String { "\(path)/logs" }

    private init(path: String, header: RunHeader, results: RunResults, lock: RunLock?) {
        (self.path, self.header, self.results, self.lock) = (path, header, results, lock)
    }

    /// Creates the folder of a new run.
    ///
    /// - Throws: ``RunFolderError`` if the folder cannot be created, is in use, or is not empty.
    package static func begin(_ path: String, _ header: RunHeader) throws(RunFolderError) -> RunFolder {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            // Foundation's error hides the reason; that of the system call does not.
            guard mkdir(path, 0o777) != 0 else { throw RunFolderError(path, error.localizedDescription) }
            throw RunFolderError(system: path)
        }
        let lock = try RunLock(folder: path)
        let held = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        if held.contains("run.json") {
            throw RunFolderError(path, "already contains a run; continue it with --resume, or name another folder")
        }
        // A run that ended before it began leaves only these files.
        guard held.allSatisfy({ ["lock", "run.json.new"].contains($0) }) else {
            throw RunFolderError(path, "is not empty; name a new or empty folder")
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
        return RunFolder(path: path, header: header, results: results, lock: lock)
    }

    /// Opens the folder of a run.
    ///
    /// `isWritable` decides whether the run will continue; it must not be in use then.
    ///
    /// - Throws: ``RunFolderError`` if there is no readable run.
    package static func open(_ path: String, isWritable: Bool) throws(RunFolderError) -> RunFolder {
        let file = "\(path)/run.json"
        guard FileManager.default.fileExists(atPath: file) else {
            throw RunFolderError(path, "contains no run; start one with --run")
        }
        let lock = isWritable ? try RunLock(folder: path) : nil
        guard let data = FileManager.default.contents(atPath: file) else { throw RunFolderError(system: file) }
        let header: RunHeader
        do {
            header = try JSONDecoder().decode(RunHeader.self, from: data)
        } catch {
            throw RunFolderError(file, "is not a run header: \(error)")
        }
        guard header.format == RunHeader.format else {
            throw RunFolderError(
                file,
                "has format \(header.format); this version of segue reads format \(RunHeader.format)"
            )
        }
        guard header.isValid else { throw RunFolderError(file, "lists cases outside its matrix") }
        let results = try RunResults(path: "\(path)/results.jsonl", table: header.table, isWritable: isWritable)
        return RunFolder(path: path, header: header, results: results, lock: lock)
    }

    /// Writes a file of the folder atomically.
    private static func write(_ data: Data, to path: String) throws(RunFolderError) {
        do {
            try data.write(to: URL(fileURLWithPath: path + ".new"))
        } catch {
            throw RunFolderError(path, "\(error)")
        }
        guard rename(path + ".new", path) == 0 else { throw RunFolderError(system: path) }
    }

    /// The remaining work.
    ///
    /// - Parameter tasks: All tasks of the suite in order.
    /// - Returns: The tasks of this run, once with their cases without a result, and once with all of their cases in
    ///   the run.
    package func left(of tasks: [FileTask]) -> (tasks: [FileTask], whole: [FileTask]) {
        var left: (tasks: [FileTask], whole: [FileTask]) = ([], [])
        let table = results.table
        for (file, range) in ranges {
            let places = range.filter { table.has(file: file, case: $0) }
            var (task, whole) = (tasks[file], tasks[file])
            whole.cases = places.map { table.name(file: file, case: $0) }
            task.cases = places.filter { !results.wasRun(file: file, case: $0) }
                .map { table.name(file: file, case: $0) }
            guard !task.cases.isEmpty else { continue }
            left.tasks.append(task)
            left.whole.append(whole)
        }
        return left
    }

    /// The number of cases without a result.
    var leftCount: Int {
        ranges.reduce(0) { sum, part in
            sum
                + part.range.count {
                    results.table.has(file: part.file, case: $0) && !results.hasResult(file: part.file, case: $0)
                }
        }
    }

    /// The cases of the run, by file.
    private var ranges: [(file: Int, range: Range<Int>)] {
        let table = results.table
        guard let part = header.part else { return table.files.indices.map { ($0, 0..<table.cases.count) } }
        return part.cases.map { ($0.file, $0.from..<$0.to) }
    }
}
