internal import CDispatch
internal import Foundation
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Watches one worker's process and ends it when it stands still or takes more memory than it may.
final class WorkerGuard: Sendable {
    private struct State {
        var process: pid_t?
        var finding: Finding?
    }

    private let limits: FileLimits
    private let told: FileDescriptor
    private let state = Mutex(State())

    /// A guard.
    ///
    /// - Parameters:
    ///   - limits: What the worker may use.
    ///   - told: The file to whose end the worker writes what it has come to; the owner closes it after the watch.
    init(limits: FileLimits, told: FileDescriptor) {
        self.limits = limits
        self.told = told
    }

    /// Why the process was ended; nil when it was not.
    var verdict: Finding? { state.withLock(\.finding) }

    /// Says which process to watch.
    func begin(_ process: pid_t) { state.withLock { $0.process = process } }

    /// Looks at the process until cancelled.
    ///
    /// Memory has no event to wait for, so it is looked at ten times a second.
    func watch() async throws {
        let begun = ContinuousClock.now
        var standstill = Standstill(limits: limits, toldAtStart: size)
        while true {
            try await Task.sleep(for: .milliseconds(100))
            guard let process = state.withLock(\.process) else { continue }
            let now = (ContinuousClock.now - begun) / .seconds(1)
            // Told is looked at last: what was told by now was told within the processor time that was seen.
            let look = Standstill.Look(seconds: now, processor: Self.processorSeconds(of: process), told: size)
            if let words = standstill.words(on: look) {
                end(process, Finding(.hang, words + (lastLine.map { " (last: \($0))" } ?? "")))
            } else if Self.residentBytes(of: process) > limits.memory {
                end(process, Finding(.memory, "took more than \(limits.memory >> 20) MiB of memory"))
            }
        }
    }

    private func end(_ process: pid_t, _ finding: Finding) {
        state.withLock { if $0.finding == nil { $0.finding = finding } }
        kill(process, SIGKILL)
    }

    /// The bytes in the file that the worker writes to.
    private var size: Int64 {
        var status = stat()
        return fstat(told.rawValue, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// What the worker told last; nil where it told nothing.
    private var lastLine: String? {
        let size = self.size
        var bytes = [UInt8](repeating: 0, count: Int(min(size, 300)))
        // The position is the worker's as well, and is left alone.
        let count = bytes.withUnsafeMutableBytes {
            try? told.read(fromAbsoluteOffset: size - Int64($0.count), into: $0)
        }
        // The task comes before the first line, and a line's break before the line.
        let last = bytes.prefix(count ?? 0).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return last.count > 1 ? last.last.map { String(decoding: $0, as: UTF8.self) } : nil
    }

    /// The processor time of all threads, in seconds (proc(5): the 14th and 15th field of `stat`).
    private static func processorSeconds(of process: pid_t) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        // The second field, the name in parentheses, may hold spaces.
        let fields = text[end...].split(separator: " ")
        guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else { return 0 }
        return Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func residentBytes(of process: pid_t) -> Int64 {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .ascii) else { return 0 }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int64(fields[1]) else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
