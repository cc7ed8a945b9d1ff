internal import Foundation
internal import Glibc
internal import SegueComparison
package import SystemPackage

/// The results of a run in its folder.
///
/// The file has one JSON object per line for each case, in the order of completion. The later of two results for a case
/// counts.
///
/// An incomplete last line, left when the program was killed, is removed when the file is opened again.
package final class RunResults {
    /// Writes bytes to a file at a position; the disk may be full.
    package typealias Write = (FileDescriptor, Int64, [UInt8]) throws -> Void

    let path: String
    let table: CaseTable
    private let file: FileDescriptor
    private let write: Write
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()
    /// The position of each case's line, by file; -1 for none, and empty for a file without any.
    private var places: [[Int64]]
    /// The index of the case of each file that probably ends next.
    private var next: [Int]
    /// The numbers of cases that could not be run.
    private var broken: Set<Int> = []
    private var lines: OutcomeLines
    /// The position of the next line.
    private var end: Int64 = 0
    private var waiting: [UInt8] = []

    /// Opens the results of a run, creating a missing file.
    ///
    /// `isWritable` decides whether results will be added. Then an incomplete last line is removed, otherwise it is
    /// ignored.
    ///
    /// - Throws: ``RunFolderError`` if the file cannot be read, or has a line that is not a result of the suite.
    init(
        path: String,
        table: CaseTable,
        isWritable: Bool,
        write: @escaping Write = { try $0.writeAll(toAbsoluteOffset: $1, $2) }
    ) throws(RunFolderError) {
        let number = isWritable ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644) : open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw RunFolderError(system: path) }
        (self.path, self.table, self.write) = (path, table, write)
        file = FileDescriptor(rawValue: number)
        places = Array(repeating: [], count: table.files.count)
        next = Array(repeating: 0, count: table.files.count)
        lines = OutcomeLines(file)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try load()
        guard isWritable else { return }
        guard ftruncate(number, off_t(end)) == 0 else { throw RunFolderError(system: path) }
    }

    deinit { try? file.close() }

    func hasResult(file: Int, case place: Int) -> Bool { !places[file].isEmpty && places[file][place] >= 0 }

    /// The first case of a file with a result; nil without any.
    func firstCase(ofFile file: Int) -> Int? { places[file].firstIndex { $0 >= 0 } }

    /// Returns whether a case was run, with any result.
    func wasRun(file: Int, case place: Int) -> Bool {
        hasResult(file: file, case: place) && !broken.contains(file * table.cases.count + place)
    }

    /// Reads the existing results.
    private func load() throws(RunFolderError) {
        var number = 0
        do {
            while let line = try lines.nextWhole() {
                number += 1
                let start = end
                end = lines.position
                let record: CaseRecord
                do {
                    record = try decoder.decode(CaseRecord.self, from: line)
                } catch {
                    // After a power failure the last line may contain anything, but nothing follows it.
                    guard try lines.next() == nil else {
                        throw RunFolderError(path, "line \(number) is not a result; remove the line")
                    }
                    end = start
                    return
                }
                guard note(record.result, at: start) else {
                    throw RunFolderError(path, "line \(number) is a case of a different run; remove the line")
                }
            }
        } catch let error as RunFolderError {
            throw error
        } catch {
            throw RunFolderError(path, "\(error)")
        }
    }

    /// Records the position of a result.
    ///
    /// - Returns: True if the case belongs to the suite.
    private func note(_ result: CaseResult, at start: Int64) -> Bool {
        guard let file = table.file(result.name.file), let place = table.place(of: result.name, from: next[file]) else {
            return false
        }
        next[file] = place + 1
        if places[file].isEmpty { places[file] = Array(repeating: -1, count: table.cases.count) }
        places[file][place] = start
        let number = file * table.cases.count + place
        if result.verdict == .broken { broken.insert(number) } else { broken.remove(number) }
        return true
    }

    /// Adds a result.
    func add(_ outcome: CaseOutcome) throws(RunFolderError) {
        guard note(outcome.result, at: end + Int64(waiting.count)) else {
            throw RunFolderError(path, "received a case of a different run: \(outcome.result.name)")
        }
        do {
            waiting += try encoder.encode(CaseRecord(outcome))
        } catch {
            throw RunFolderError(path, "\(error)")
        }
        waiting.append(UInt8(ascii: "\n"))
    }

    /// Writes the added results.
    ///
    /// - Throws: ``RunFolderError`` if the disk is full; a partial write is undone, so that the file ends with a
    ///   complete line.
    func flush() throws(RunFolderError) {
        guard !waiting.isEmpty else { return }
        do {
            try write(file, end, waiting)
        } catch {
            _ = ftruncate(file.rawValue, off_t(end))
            forget(from: end)
            waiting = []
            throw RunFolderError(path, "\(error)")
        }
        end += Int64(waiting.count)
        waiting.removeAll(keepingCapacity: true)
    }

    private func forget(from start: Int64) {
        for file in places.indices {
            for place in places[file].indices where places[file][place] >= start { places[file][place] = -1 }
        }
    }

    /// The results of one file in the order of the matrix.
    ///
    /// - Throws: ``RunFolderError`` if they cannot be read.
    func each(ofFile file: Int, _ body: (Int, CaseOutcome) throws -> Void) throws {
        lines.extend()
        for (place, start) in places[file].enumerated() where start >= 0 {
            lines.move(to: start)
            guard let line = try lines.nextWhole() else { throw RunFolderError(path, "was truncated during the run") }
            try body(place, try decoder.decode(CaseRecord.self, from: line).outcome)
        }
    }
}
