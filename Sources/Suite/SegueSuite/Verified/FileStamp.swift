internal import Foundation
internal import SegueConcurrency
internal import SegueFFmpeg

/// The metadata by which the system shows that a file was modified, so that an unchanged file need not be read again.
///
/// A writer can reset the modification time of the content, but not that of the inode.
struct FileStamp: Equatable {
    private let status: FileStatus

    /// The granularity of file system timestamps, up to two seconds with a margin: changes within one step are
    /// invisible.
    private static let step: Int64 = 3_000_000_000

    /// The current stamp of a regular file; nil if there is none.
    init?(ofFileAt path: String) {
        guard let status = FileStatus(path: path), status.isRegular else { return nil }
        self.status = status
    }

    /// The stamp in one word.
    var text: String {
        "\(status.device)-\(status.inode)-\(status.size)-\(status.modifiedNanoseconds)-\(status.changedNanoseconds)"
    }

    /// Returns whether the last change is old enough at `now`, in nanoseconds since 1970, that another one would be visible.
    func isSettled(at now: Int64 = Int64(Date().timeIntervalSince1970 * 1e9)) -> Bool {
        max(status.modifiedNanoseconds, status.changedNanoseconds) < now - Self.step
    }
}
