import Foundation
import SegueConcurrency
import SegueFFmpeg

/// A file that grows at its end, and that others may move away; used by one thread.
package final class LogFile: @unchecked Sendable {
    // Sendable, since it is handed to the one thread that uses it.

    /// Its name.
    let path: String

    /// What kept it from being written the last time.
    private(set) var reason = "is not written as fast as lines come"

    private var descriptor: Int32 = -1

    /// Opens a file, which is made where there is none.
    init(_ path: String) {
        self.path = path
        reopen()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether it could be opened.
    var isOpen: Bool { descriptor >= 0 }

    /// Whether its name leads to another file by now, or to none.
    var isMoved: Bool {
        guard let opened = FileStatus(descriptor: descriptor), let named = FileStatus(path: path) else { return true }
        return named.device != opened.device || named.inode != opened.inode
    }

    /// Opens the file of its name; the one before stays where there is no other to be had.
    func reopen() {
        let new = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o640)
        guard new >= 0 else {
            reason = String(cString: strerror(errno))
            return
        }
        if descriptor >= 0 { close(descriptor) }
        descriptor = new
    }

    /// Writes the beginning of some bytes, as much as there is room for.
    ///
    /// - Returns: How many that was.
    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        let (written, failure) = Self.write(bytes, to: descriptor)
        if let failure { reason = failure }
        return written
    }

    /// Writes the beginning of some bytes, as much as there is room for.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - descriptor: Where to.
    /// - Returns: How many were written, and why no more; nil where all were.
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
