internal import Foundation
internal import SegueConcurrency
internal import SegueFFmpeg

/// The identity of a file; a change of any part invalidates cached data.
///
/// A file that is being written is an exception: its identities at different times are equal, and have the same
/// ``tag``, because more data do not change what is already served.
package struct FileIdentity: Sendable, Codable {
    /// The requested path.
    package let path: String
    package let size: Int64
    /// The modification time, in nanoseconds since 1970.
    package let modifiedNanoseconds: Int64
    /// The inode number.
    package let inode: UInt64
    /// The ``tag`` of a file that grows, from the time when its first address was given; nil for any other file.
    package let growsFrom: String?
    /// False while a file that grows is being written.
    package let isComplete: Bool

    package init(path: String, size: Int64, modifiedNanoseconds: Int64, inode: UInt64) {
        self.path = path
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
        self.inode = inode
        growsFrom = nil
        isComplete = true
    }

    private init(_ identity: FileIdentity, growsFrom tag: String, isComplete: Bool) {
        (path, size, inode) = (identity.path, identity.size, identity.inode)
        (modifiedNanoseconds, growsFrom, self.isComplete) = (identity.modifiedNanoseconds, tag, isComplete)
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
        growsFrom ?? String(Checksum.sha256(Array("\(size) \(modifiedNanoseconds) \(inode)".utf8)).prefix(16))
    }

    /// Returns the identity of a file that grows, or has grown; `tag` is its first one.
    package func growing(from tag: String, isComplete: Bool) -> FileIdentity {
        FileIdentity(self, growsFrom: tag, isComplete: isComplete)
    }

    /// Returns true if the format has an index that the file contains, so that nothing can be appended.
    package var hasWholeIndex: Bool { MovieIndex.isComplete(path: path) }

    /// Returns true if the file still has all content that it had at this identity.
    package func isCurrent() throws(PackagingError) -> Bool {
        let current = try FileIdentity(ofFileAt: path)
        return growsFrom == nil ? current == self : current.inode == inode && current.size >= size
    }
}

extension FileIdentity: Hashable {
    package static func == (left: FileIdentity, right: FileIdentity) -> Bool {
        guard left.path == right.path, left.inode == right.inode, left.growsFrom == right.growsFrom else {
            return false
        }
        return left.growsFrom != nil
            || (left.size == right.size && left.modifiedNanoseconds == right.modifiedNanoseconds)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(inode)
        hasher.combine(growsFrom)
        guard growsFrom == nil else { return }
        hasher.combine(size)
        hasher.combine(modifiedNanoseconds)
    }
}
