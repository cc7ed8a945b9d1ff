internal import Foundation
internal import SegueConcurrency
internal import SegueFFmpeg

/// What makes a file the same file: a change of any part means other bytes may come of it.
package struct FileIdentity: Hashable, Sendable, Codable {
    /// The path that it was requested by.
    package let path: String
    /// The size in bytes.
    package let size: Int64
    /// When it was last written, in nanoseconds since 1970.
    package let modifiedNanoseconds: Int64
    /// The file's number on its volume.
    package let inode: UInt64

    /// An identity from its parts.
    package init(path: String, size: Int64, modifiedNanoseconds: Int64, inode: UInt64) {
        self.path = path
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
        self.inode = inode
    }

    /// The identity of the file that is there now.
    package init(ofFileAt path: String) throws(PackagingError) {
        guard let status = FileStatus(path: path) else {
            throw PackagingError(.unreadable, file: path, "stat: \(String(cString: strerror(errno)))")
        }
        guard status.isRegular else {
            throw PackagingError(.unreadable, file: path, "stat: it is not a regular file")
        }
        self.init(
            path: path,
            size: status.size,
            modifiedNanoseconds: status.modifiedNanoseconds,
            inode: status.inode
        )
    }

    /// A short name, of 16 hexadecimal digits, that changes when the file does.
    ///
    /// The same wherever the volume is mounted, so that several servers of one volume name their segments alike.
    package var tag: String {
        String(Checksum.sha256(Array("\(size) \(modifiedNanoseconds) \(inode)".utf8)).prefix(16))
    }
}
