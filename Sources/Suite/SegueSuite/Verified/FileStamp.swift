internal import Foundation
internal import SegueConcurrency
internal import SegueFFmpeg

/// All by which the system shows that a file was written to, so that its bytes need not be read again to be known.
///
/// Whoever writes can set the time of change of the content back, but not that of the inode.
struct FileStamp: Equatable {
    private let status: FileStatus

    /// File systems count times in steps of up to two seconds: whatever is written within one step shows nothing.
    private static let step: Int64 = 3_000_000_000

    /// The stamp that a regular file has now; nil where there is none.
    init?(ofFileAt path: String) {
        guard let status = FileStatus(path: path), status.isRegular else { return nil }
        self.status = status
    }

    /// It in one word.
    var text: String {
        "\(status.device)-\(status.inode)-\(status.size)-\(status.modifiedNanoseconds)-\(status.changedNanoseconds)"
    }

    /// Whether the file was written to so long before `now`, in nanoseconds since 1970, that one more change would show.
    func isSettled(at now: Int64 = Int64(Date().timeIntervalSince1970 * 1e9)) -> Bool {
        max(status.modifiedNanoseconds, status.changedNanoseconds) < now - Self.step
    }
}
