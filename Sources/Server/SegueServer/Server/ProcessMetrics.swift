import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// The resource usage of the process.
struct ProcessMetrics: Sendable, Equatable {
    /// The resident memory, including shared memory.
    var residentBytes: Int
    /// The processor time in hundredths of a second.
    var ticks: Int
    /// The number of open file descriptors, and its limit.
    var openFiles: Int
    var fileLimit: Int

    /// The processor time of the process; zero if it is unknown.
    static var processorTime: Duration { .nanoseconds(SystemClock.ownProcess.nanoseconds ?? 0) }

    /// The current usage from `/proc`; unknown values are 0.
    static func now() -> ProcessMetrics {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // After the name, which may contain any characters, fields 14 and 15 of `stat` are the times.
        let stat = text("/proc/self/stat")
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let pages = text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let times = fields.count > 13 ? fields[12...13].compactMap { Int($0) } : []
        return ProcessMetrics(
            residentBytes: pages * sysconf(Int32(_SC_PAGESIZE)),
            ticks: times.reduce(0, +) * 100 / max(1, sysconf(Int32(_SC_CLK_TCK))),
            openFiles: max(0, (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0),
            fileLimit: Int(clamping: limit.rlim_cur)
        )
    }

    /// Adds the metrics under the conventional names of Prometheus' libraries.
    func add(to figures: inout MetricsText) {
        figures.add(process: "resident_memory_bytes", as: .gauge, help: "Resident memory.", "\(residentBytes)")
        figures.add(
            process: "cpu_seconds_total",
            as: .counter,
            help: "Processor time, user and system.",
            DecimalText.fixed(units: Int64(ticks), places: 2)
        )
        figures.add(process: "open_fds", as: .gauge, help: "Open file descriptors.", "\(openFiles)")
        figures.add(process: "max_fds", as: .gauge, help: "Maximum number of open file descriptors.", "\(fileLimit)")
    }

    private static func text(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
