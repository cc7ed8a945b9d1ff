import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// What the process takes of the machine.
struct ProcessFigures: Sendable, Equatable {
    /// Bytes of memory that are the process's own or shared, and lie in it.
    var residentBytes: Int
    /// Processor time, in hundredths of a second.
    var ticks: Int
    /// How many files and connections are open, and how many may be.
    var openFiles: Int
    var mostFiles: Int

    /// The processor time that the process has used; zero where the system does not tell.
    static var processorTime: Duration { .nanoseconds(SystemClock.ownProcess.nanoseconds ?? 0) }

    /// What is so now, as `/proc` tells; what it does not tell is 0.
    static func now() -> ProcessFigures {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // Behind the name, which may have any characters, the 14th and 15th field of `stat` are the times.
        let stat = text("/proc/self/stat")
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let pages = text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let times = fields.count > 13 ? fields[12...13].compactMap { Int($0) } : []
        return ProcessFigures(
            residentBytes: pages * sysconf(Int32(_SC_PAGESIZE)),
            ticks: times.reduce(0, +) * 100 / max(1, sysconf(Int32(_SC_CLK_TCK))),
            openFiles: max(0, (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0),
            mostFiles: Int(clamping: limit.rlim_cur)
        )
    }

    /// Adds the figures to others, under the names that Prometheus' own libraries have for them.
    func add(to figures: inout FigureText) {
        figures.add(process: "resident_memory_bytes", .gauge, "Resident memory.", "\(residentBytes)")
        figures.add(
            process: "cpu_seconds_total",
            .counter,
            "Processor time, user and system.",
            DecimalText.fixed(units: Int64(ticks), places: 2)
        )
        figures.add(process: "open_fds", .gauge, "Open file descriptors.", "\(openFiles)")
        figures.add(process: "max_fds", .gauge, "How many file descriptors may be open.", "\(mostFiles)")
    }

    private static func text(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
