internal import Foundation
internal import Glibc
internal import SegueComparison
internal import SystemPackage

extension PastCaseTimes {
    /// The times of the cases of an earlier run.
    ///
    /// - Parameter path: A run folder, or a report in JSON with times.
    /// - Throws: ``RunFolderError`` if there are none.
    package init(of path: String) throws(RunFolderError) {
        self.init()
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw RunFolderError(path, String(cString: strerror(ENOENT)))
        }
        do {
            if isFolder.boolValue {
                try read(results: "\(path)/results.jsonl")
            } else {
                struct Report: Decodable { var cases: [CaseRecord] }
                let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
                for record in try JSONDecoder().decode(Report.self, from: data).cases { add(record) }
            }
        } catch let error as RunFolderError {
            throw error
        } catch {
            throw RunFolderError(path, "is not a run folder and not a report in JSON: \(error)")
        }
        guard !isEmpty else {
            throw RunFolderError(
                path,
                "has no times of cases; use the report of a run with --run"
            )
        }
    }

    private mutating func read(results path: String) throws {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw RunFolderError(system: path) }
        let file = FileDescriptor(rawValue: number)
        defer { try? file.close() }
        var lines = OutcomeLines(file)
        let decoder = JSONDecoder()
        // An incomplete line, left by a run that was killed, is ignored.
        while let line = try lines.nextWhole() {
            if let record = try? decoder.decode(CaseRecord.self, from: line) { add(record) }
        }
    }

    private mutating func add(_ record: CaseRecord) {
        if let seconds = record.times?.processorSeconds { add(seconds, ofFile: record.result.name.file) }
    }
}
