internal import SegueBase
package import SegueConformance
internal import Synchronization

/// What is known of all streams that are watched, for whoever looks.
package final class StreamBoard: Sendable {
    /// What is known of one.
    package struct Entry: Sendable {
        /// Its playlist.
        package let url: String
        /// What has been measured.
        package var figures = WatchFigures()
        /// How often each rule was broken.
        package var counts: [String: Int] = [:]
        /// What was found last, and when, in seconds since 1970.
        package var last: (at: Double, broken: BrokenRule)?
    }

    private let entries: Mutex<[Entry]>

    /// A board of streams.
    package init(_ urls: [String]) { entries = Mutex(urls.map { Entry(url: $0) }) }

    /// All of them, in their order.
    package var all: [Entry] { entries.withLock { $0 } }

    func found(_ broken: BrokenRule, in stream: Int, at date: Double) {
        entries.withLock { entries in
            entries[stream].counts[broken.rule.id, default: 0] += 1
            entries[stream].last = (date, broken)
        }
    }

    func measured(_ figures: WatchFigures, of stream: Int) { entries.withLock { $0[stream].figures = figures } }
}
