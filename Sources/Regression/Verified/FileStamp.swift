internal import Foundation
internal import Glibc

/// All by which the system shows that a file was written to, so that its bytes need not be read again to be known.
///
/// Whoever writes can set the time of change of the content back, but not that of the inode.
struct FileStamp: Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: Int64
    private let changed: Int64

    /// File systems count times in steps of up to two seconds: whatever is written within one step shows nothing.
    private static let step: Int64 = 3_000_000_000

    /// The stamp that a regular file has now; nil where there is none.
    init?(ofFileAt path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
    }

    /// It in one word.
    var text: String { "\(device)-\(inode)-\(size)-\(modified)-\(changed)" }

    /// Whether the file was written to so long before `now`, in nanoseconds since 1970, that one more change would show.
    func isSettled(at now: Int64 = Int64(Date().timeIntervalSince1970 * 1e9)) -> Bool {
        max(modified, changed) < now - Self.step
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
