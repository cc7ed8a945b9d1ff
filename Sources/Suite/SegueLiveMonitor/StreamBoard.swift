internal import SegueBase
package import SegueConformance
internal import Synchronization

/// The status of all watched streams, for readers on any thread.
package final class StreamBoard: Sendable {
    package struct Entry: Sendable {
        package let url: String
        package var figures = WatchFigures()
        /// The number of violations of each rule.
        package var counts: [String: Int] = [:]
        /// The rules that are broken at the moment.
        package var broken: Set<String> = []
        /// The last finding and its time, in seconds since 1970.
        package var last: (at: Double, broken: BrokenRule)?
    }

    private let entries: Mutex<[Entry]>

    package init(_ urls: [String]) { entries = Mutex(urls.map { Entry(url: $0) }) }

    /// All entries in the order of the streams.
    package var all: [Entry] { entries.withLock { $0 } }

    func found(_ broken: BrokenRule, in stream: Int, at date: Double) {
        entries.withLock { entries in
            entries[stream].counts[broken.rule.id, default: 0] += 1
            entries[stream].last = (date, broken)
        }
    }

    func measured(_ figures: WatchFigures, broken: Set<HeldCondition>, of stream: Int) {
        entries.withLock { entries in
            entries[stream].figures = figures
            entries[stream].broken = Set(broken.map(\.rule))
        }
    }
}
