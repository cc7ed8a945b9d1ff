import SegueBase
import SegueOrigin

/// What the threads are at, for people who watch the server.
struct WorkReport: Sendable, Equatable {
    /// The threads of one lane.
    struct Lane: Sendable, Equatable {
        var name: String
        var threads: Int
        var busy: Int
        /// How long the one has been busy that has been so the longest.
        var longest: Duration
        var waiting: Int
        /// How many are given up.
        var hung: Int
    }

    var lanes: [Lane]
    /// How many threads are given up, as what they called has not returned.
    var hung: Int
    /// How long ago the first of these was asked for what it is at.
    var longestHung: Duration

    /// Whether nothing waits, and nothing hangs.
    var isFree: Bool { hung == 0 && lanes.allSatisfy { $0.waiting == 0 } }

    /// One line for each lane, and one where something hangs.
    var text: String {
        var lines = lanes.map { lane in
            let busy = lane.busy == 0 ? "" : ", the longest for \(Self.seconds(lane.longest))"
            return "\(lane.name): \(lane.busy) of \(lane.threads) workers busy\(busy); \(lane.waiting) waiting"
        }
        if hung > 0 {
            lines.append("given up: \(hung) that did not return, the longest after \(Self.seconds(longestHung))")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Adds the figures to others.
    func add(to figures: inout FigureText) {
        func add(_ name: String, _ help: String, _ value: (Lane) -> Int) {
            figures.add(name, .gauge, help, by: "lane", lanes.map { ($0.name, value($0)) })
        }
        add("workers", "Threads that do work, by lane.", \.threads)
        add("workers_busy", "Threads that are at work.", \.busy)
        add("workers_given_up", "Threads that are waited for no more, as they do not return.", \.hung)
        add("work_waiting", "Pieces of work that wait for a thread.", \.waiting)
    }

    private static func seconds(_ time: Duration) -> String {
        let tenths = time.wholeNanoseconds / 100_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
