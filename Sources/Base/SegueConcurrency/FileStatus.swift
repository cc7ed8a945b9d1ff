internal import CSegueSystem

/// The metadata of a file (`stat`).
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable {
        case regular
        case folder
        case link
        case other
    }

    package let kind: Kind
    /// The size in bytes.
    package let size: Int64
    package let device: UInt64
    package let inode: UInt64
    /// The time of the last change of the content, in nanoseconds since 1970, saturating.
    package let modifiedNanoseconds: Int64
    /// The time of the last change of content or metadata, in nanoseconds since 1970.
    package let changedNanoseconds: Int64

    /// The status of a path's target, or of the link itself; nil with `errno` set if there is none.
    package init?(path: String, followsLinks: Bool = true) {
        var found = skern_file_status()
        guard skern_status_of_path(path, followsLinks ? 1 : 0, &found) == 0 else { return nil }
        self.init(found)
    }

    /// The status of a path given as bytes; nil with `errno` set if there is none.
    package init?(path: [UInt8], followsLinks: Bool = true) {
        var found = skern_file_status()
        let code = (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
            skern_status_of_path($0.baseAddress, followsLinks ? 1 : 0, &found)
        }
        guard code == 0 else { return nil }
        self.init(found)
    }

    /// The status of an open file; nil with `errno` set for an invalid descriptor.
    package init?(descriptor: Int32) {
        var found = skern_file_status()
        guard skern_status_of_descriptor(descriptor, &found) == 0 else { return nil }
        self.init(found)
    }

    package var isRegular: Bool { kind == .regular }
    package var isFolder: Bool { kind == .folder }
    package var isLink: Bool { kind == .link }

    private init(_ found: skern_file_status) {
        switch Int(found.kind) {
        case SKERN_FILE_REGULAR: kind = .regular
        case SKERN_FILE_FOLDER: kind = .folder
        case SKERN_FILE_LINK: kind = .link
        default: kind = .other
        }
        size = found.size
        device = found.device
        inode = found.inode
        modifiedNanoseconds = found.modified
        changedNanoseconds = found.changed
    }
}
