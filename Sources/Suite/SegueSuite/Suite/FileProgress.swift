internal import Glibc
internal import SegueConcurrency
internal import SegueFFmpeg
internal import Synchronization

/// How far the work on one file has come: milestones that are reached, and packets that are worked through between two
/// of them.
///
/// Whatever goes round in circles reaches no milestone, and its packets stop counting once there are more of them than
/// the file can have.
package final class FileProgress: Sendable {
    private struct State {
        /// What was reached last.
        var words = ""
        /// How much of what is done once is done by then.
        var share: Double?
        /// Milestones, and packets that counted before the last of them.
        var before = 0
        /// Packets that libav had worked through when the last milestone was reached.
        var mark: Int
    }

    private let state: Mutex<State>
    private let packets: @Sendable () -> Int
    private let most: Int

    /// Nothing has been reached yet.
    ///
    /// - Parameters:
    ///   - fileSize: The file's size in bytes.
    ///   - packets: How many packets were worked through so far.
    package init(fileSize: Int64, packets: @escaping @Sendable () -> Int = { MediaWork.packets }) {
        // A packet takes eight bytes and more, and nothing goes through a file more than four times without a milestone.
        most = Int(min(max(fileSize, 0) / 2, 1 << 40)) + 10_000
        self.packets = packets
        state = Mutex(State(mark: packets()))
    }

    /// Nothing has been reached yet of a file, whose path is given as bytes.
    package convenience init(path: [UInt8]) {
        self.init(fileSize: FileStatus(path: path)?.size ?? 0)
    }

    /// Reaches a milestone.
    ///
    /// - Parameters:
    ///   - words: What was done, or is done from here on, for people.
    ///   - share: How much of the work before the first case is done, from 0 to 1; nil where nobody knows.
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

    /// How far the work has come: a number that only grows, and the words of the last milestone.
    package var place: (count: Int, words: String) {
        let (count, told) = look
        return (count, told.words)
    }

    /// The same, with the share of the last milestone.
    var look: (count: Int, told: ToldProgress) {
        let now = packets()
        return state.withLock { state in
            (state.before + min(now - state.mark, most), ToldProgress(words: state.words, share: state.share))
        }
    }
}
