internal import Foundation
internal import Glibc
package import SystemPackage

/// The results of a run in its folder.
///
/// There is a JSON object a line for each case that has ended, in the order in which they ended. Where a case has two,
/// the later counts.
///
/// What was being written when the program was killed is cut off when the file is opened again.
package final class RunResults {
    /// Writes bytes into a file at a position; the disk may be full.
    package typealias Write = (FileDescriptor, Int64, [UInt8]) throws -> Void

    /// The file's path.
    let path: String
    let table: CaseTable
    private let file: FileDescriptor
    private let write: Write
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()
    /// Where the line of each case begins, by file; -1 for none, and nothing for a file without any.
    private var places: [[Int64]]
    /// The case of each file that is likely to end next.
    private var next: [Int]
    /// The cases that could not be run, by number.
    private var broken: Set<Int> = []
    private var lines: OutcomeLines
    /// Where the next line goes.
    private var end: Int64 = 0
    private var waiting: [UInt8] = []

    /// Opens the results of a run, and makes the file where there is none.
    ///
    /// - Parameters:
    ///   - table: The cases of the suite.
    ///   - isWritable: Whether results will be added. Then the end of a line that was never written to its end is cut
    ///     off, else it is passed over.
    /// - Throws: ``RunFolderError`` where the file cannot be read, or has a line that is no result of the suite.
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

    /// Whether a case has a result.
    func hasResult(file: Int, case place: Int) -> Bool { !places[file].isEmpty && places[file][place] >= 0 }

    /// The first case of a file that has a result; nil where none has.
    func firstCase(ofFile file: Int) -> Int? { places[file].firstIndex { $0 >= 0 } }

    /// Whether a case was run, whatever came of it.
    func wasRun(file: Int, case place: Int) -> Bool {
        hasResult(file: file, case: place) && !broken.contains(file * table.cases.count + place)
    }

    /// Reads what is there.
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
                    // A machine that lost its power may have left anything, but nothing after it.
                    guard try lines.next() == nil else {
                        throw RunFolderError(path, "line \(number) is no result; take the line out")
                    }
                    end = start
                    return
                }
                guard note(record.result, at: start) else {
                    throw RunFolderError(path, "line \(number) is of a case that is not of this run; take the line out")
                }
            }
        } catch let error as RunFolderError {
            throw error
        } catch {
            throw RunFolderError(path, "\(error)")
        }
    }

    /// Notes where a result lies.
    ///
    /// - Returns: Whether the case is one of the suite.
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
            throw RunFolderError(path, "was given a case that is not of this run: \(outcome.result.name)")
        }
        do {
            waiting += try encoder.encode(CaseRecord(outcome))
        } catch {
            throw RunFolderError(path, "\(error)")
        }
        waiting.append(UInt8(ascii: "\n"))
    }

    /// Writes what was added.
    ///
    /// - Throws: ``RunFolderError`` where it cannot be written: a full disk. What was written of it is taken back, so
    ///   that the file ends with a whole line.
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

    /// The results of one file's cases, in the order of the matrix, as far as there are any.
    ///
    /// - Throws: ``RunFolderError`` where they cannot be read.
    func each(ofFile file: Int, _ body: (Int, CaseOutcome) throws -> Void) throws {
        lines.extend()
        for (place, start) in places[file].enumerated() where start >= 0 {
            lines.move(to: start)
            guard let line = try lines.nextWhole() else { throw RunFolderError(path, "has become shorter") }
            try body(place, try decoder.decode(CaseRecord.self, from: line).outcome)
        }
    }
}
