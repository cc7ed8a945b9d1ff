import Foundation
import SegueConcurrency
import SegueFFmpeg

/// A file that grows at its end and that other programs may move; used by one thread.
package final class LogFile: @unchecked Sendable {
    // Sendable: the file is handed over to the one thread that uses it.

    let path: String

    /// The reason of the last failed write.
    private(set) var reason = "lines arrive faster than they can be written"

    private var descriptor: Int32 = -1

    /// Opens a file and creates it if it is missing.
    init(_ path: String) {
        self.path = path
        reopen()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var isOpen: Bool { descriptor >= 0 }

    /// True if its name belongs to another file or to none.
    var isMoved: Bool {
        guard let opened = FileStatus(descriptor: descriptor), let named = FileStatus(path: path) else { return true }
        return named.device != opened.device || named.inode != opened.inode
    }

    /// Opens the file of its name; on failure the current file stays open.
    func reopen() {
        let new = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o640)
        guard new >= 0 else {
            reason = String(cString: strerror(errno))
            return
        }
        if descriptor >= 0 { close(descriptor) }
        descriptor = new
    }

    /// Writes a prefix of some bytes and returns its length.
    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        let (written, failure) = Self.write(bytes, to: descriptor)
        if let failure { reason = failure }
        return written
    }

    /// Writes a prefix of some bytes.
    ///
    /// - Returns: The length of the prefix, and the reason why it is not longer; nil if all bytes were written.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> (written: Int, failure: String?) {
        var written = 0
        while written < bytes.count {
            let count = bytes.dropFirst(written).withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (written, String(cString: strerror(errno))) }
            written += count
        }
        return (written, nil)
    }
}
