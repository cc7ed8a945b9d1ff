internal import Foundation
internal import Glibc
internal import SegueBase
internal import SegueComparison
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SystemPackage

/// Watches a worker process, and kills it when it hangs or exceeds its memory limit.
struct WorkerWatchdog {
    /// The sampling interval in milliseconds; no event reports memory use.
    static let interval: Int32 = 100

    /// The reason for killing the process; nil if it was not killed.
    private(set) var verdict: Finding?

    private let process: pid_t
    private let limits: FileLimits
    private let told: FileDescriptor
    private let begun = ContinuousClock.now
    private var looked = ContinuousClock.now
    private var standstill: HangDetector

    /// `told` is the progress report; the owner closes it afterwards.
    init(_ process: pid_t, limits: FileLimits, told: Int32) {
        self.process = process
        self.limits = limits
        self.told = FileDescriptor(rawValue: told)
        standstill = HangDetector(limits: limits, toldAtStart: Self.size(of: self.told))
    }

    /// Samples the process if the last sample is old enough.
    mutating func look() {
        let now = ContinuousClock.now
        guard verdict == nil, now - looked >= .milliseconds(Self.interval) else { return }
        looked = now
        let processor = Self.processorSeconds(of: process)
        // The report is read after the processor time, so that it is not older.
        let look = HangDetector.Look(
            seconds: (now - begun) / .seconds(1),
            processor: processor,
            told: Self.size(of: told)
        )
        if let words = standstill.words(on: look) {
            end(Finding(.hang, words + (place.map { " (last: \(quoting: $0.words))" } ?? "")))
            return
        }
        guard Self.residentBytes(of: process) > limits.memory else { return }
        let limit = limits.memory >> 20
        // The measured size is left out, since it differs from run to run.
        let evidence = FindingEvidence(expected: .word("<= \(limit)"), unit: "MiB")
        end(Finding(.memory, "the worker exceeds its memory limit of \(limit) MiB", evidence: evidence))
    }

    private mutating func end(_ finding: Finding) {
        verdict = finding
        kill(process, SIGKILL)
    }

    /// The size of the progress report.
    private static func size(of told: FileDescriptor) -> Int64 {
        FileStatus(descriptor: told.rawValue)?.size ?? 0
    }

    /// The last line of the progress report; nil without one.
    var place: WorkerProgress? {
        let size = Self.size(of: told)
        var bytes = [UInt8](repeating: 0, count: Int(min(size, 300)))
        // The file position is shared with the worker and must not move.
        let count = bytes.withUnsafeMutableBytes {
            try? told.read(fromAbsoluteOffset: size - Int64($0.count), into: $0)
        }
        // Line feeds precede lines.
        let last = bytes.prefix(count ?? 0).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return last.count > 1 ? last.last.map { WorkerProgress(line: String(decoding: $0, as: UTF8.self)) } : nil
    }

    /// The processor time of all threads in seconds (proc(5): the 14th and 15th field of `stat`).
    private static func processorSeconds(of process: pid_t) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        // The second field, the name in parentheses, may contain spaces.
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
