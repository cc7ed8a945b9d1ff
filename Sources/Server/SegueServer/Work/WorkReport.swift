import SegueBase
import SegueOrigin

/// The state of the worker threads.
struct WorkReport: Sendable, Equatable {
    struct Lane: Sendable, Equatable {
        var name: String
        var threads: Int
        var busy: Int
        /// The time for which the longest job has been running.
        var longest: Duration
        var waiting: Int
        var hung: Int
    }

    var lanes: [Lane]
    /// The number of threads that were given up because their calls do not return.
    var hung: Int
    /// The age of the oldest hanging job.
    var oldestHung: Duration

    /// True if nothing is queued and nothing hangs.
    var isFree: Bool { hung == 0 && lanes.allSatisfy { $0.waiting == 0 } }

    /// One line for each lane, and one if threads hang.
    var text: String {
        var lines = lanes.map { lane in
            let busy = lane.busy == 0 ? "" : ", the longest for \(Self.seconds(lane.longest))"
            return "\(lane.name): \(lane.busy) of \(lane.threads) workers busy\(busy); \(lane.waiting) waiting"
        }
        if hung > 0 {
            lines.append("given up: \(hung) threads that did not return, the oldest after \(Self.seconds(oldestHung))")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    func add(to figures: inout MetricsText) {
        func add(_ name: String, help: String, value: (Lane) -> Int) {
            figures.add(name, as: .gauge, help: help, by: "lane", lanes.map { ($0.name, value($0)) })
        }
        add("workers", help: "Worker threads by lane.", value: \.threads)
        add("workers_busy", help: "Busy worker threads.", value: \.busy)
        add("workers_given_up", help: "Worker threads given up because they do not return.", value: \.hung)
        add("work_waiting", help: "Queued jobs.", value: \.waiting)
    }

    private static func seconds(_ time: Duration) -> String {
        let tenths = time.wholeNanoseconds / 100_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
