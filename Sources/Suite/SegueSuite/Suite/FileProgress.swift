internal import Glibc
internal import SegueComparison
internal import SegueConcurrency
internal import SegueFFmpeg
internal import Synchronization

/// The progress of the work on one file: milestones, and packets processed between two of them.
///
/// An endless loop reaches no milestone, and its packets stop counting once they exceed the number that the file can
/// have.
package final class FileProgress: Sendable {
    private struct State {
        /// The last milestone.
        var words = ""
        /// The share of the fixed work that is done by then.
        var share: Double?
        /// Milestones, and packets that counted before the last one.
        var before = 0
        /// The packets that libav had processed at the last milestone.
        var mark: Int
    }

    private let state: Mutex<State>
    private let packets: @Sendable () -> Int
    private let most: Int

    /// - Parameters:
    ///   - fileSize: The file's size in bytes.
    ///   - packets: Returns the number of packets processed so far.
    package init(fileSize: Int64, packets: @escaping @Sendable () -> Int = { MediaWork.packets }) {
        // A packet takes at least eight bytes, and no work passes through a file more than four times without a
        // milestone.
        most = Int(min(max(fileSize, 0) / 2, 1 << 40)) + 10_000
        self.packets = packets
        state = Mutex(State(mark: packets()))
    }

    /// - Parameter path: The file's path as bytes.
    package convenience init(path: [UInt8]) {
        self.init(fileSize: FileStatus(path: path)?.size ?? 0)
    }

    /// Records the beginning of a case.
    func reached(_ name: CaseName) {
        reached("running \(name.scenario), \(name.client), \(name.app), \(name.network), seed \(name.seed)")
    }

    /// Records a milestone.
    ///
    /// - Parameters:
    ///   - words: The work that is done or begins, for people.
    ///   - share: The share of the work before the first case, from 0 to 1; nil if unknown.
    package func reached(_ words: @autoclosure () -> String, share: Double? = nil) {
        let now = packets()
        let words = words()
        state.withLock { state in
            state.before += 1 + min(now - state.mark, most)
            state.mark = now
            state.words = words
            state.share = share
        }
    }

    /// The progress as an increasing number, and the last milestone.
    package var place: (count: Int, words: String) {
        let (count, told) = look
        return (count, told.words)
    }

    /// The progress with the share of the last milestone.
    var look: (count: Int, told: WorkerProgress) {
        let now = packets()
        return state.withLock { state in
            (state.before + min(now - state.mark, most), WorkerProgress(words: state.words, share: state.share))
        }
    }
}
