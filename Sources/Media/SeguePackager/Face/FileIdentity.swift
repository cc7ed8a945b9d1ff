internal import Foundation
internal import SegueConcurrency
internal import SegueFFmpeg

/// The identity of a file; a change of any part invalidates cached data.
package struct FileIdentity: Hashable, Sendable, Codable {
    /// The requested path.
    package let path: String
    package let size: Int64
    /// The modification time, in nanoseconds since 1970.
    package let modifiedNanoseconds: Int64
    /// The inode number.
    package let inode: UInt64

    package init(path: String, size: Int64, modifiedNanoseconds: Int64, inode: UInt64) {
        self.path = path
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
        self.inode = inode
    }

    /// Reads the current identity of a file.
    package init(ofFileAt path: String) throws(PackagingError) {
        guard let status = FileStatus(path: path) else {
            throw PackagingError(.unreadable, file: path, "stat: \(String(cString: strerror(errno)))")
        }
        guard status.isRegular else {
            throw PackagingError(.unreadable, file: path, "stat: not a regular file")
        }
        self.init(
            path: path,
            size: status.size,
            modifiedNanoseconds: status.modifiedNanoseconds,
            inode: status.inode
        )
    }

    /// A short hash of 16 hexadecimal digits that changes with the file.
    ///
    /// It does not depend on the mount point, so several servers of one volume name their segments alike.
    package var tag: String {
        String(Checksum.sha256(Array("\(size) \(modifiedNanoseconds) \(inode)".utf8)).prefix(16))
    }
}
