internal import CSegueSystem

/// What the system says of a file without reading it (`stat`).
package struct FileStatus: Sendable, Equatable {
    /// What lies at a path.
    package enum Kind: Sendable {
        case regular
        case folder
        case link
        case other
    }

    /// What it is.
    package let kind: Kind
    /// Its size in bytes.
    package let size: Int64
    /// The device on which it lies.
    package let device: UInt64
    /// Its number on that device.
    package let inode: UInt64
    /// When its bytes were changed, in nanoseconds since 1970; at the edge of what can be counted where it says more.
    package let modifiedNanoseconds: Int64
    /// When anything of it was changed, in nanoseconds since 1970.
    package let changedNanoseconds: Int64

    /// What a path leads to, or the link itself; nil with `errno` set where there is nothing.
    package init?(path: String, followsLinks: Bool = true) {
        var found = skern_file_status()
        guard skern_status_of_path(path, followsLinks ? 1 : 0, &found) == 0 else { return nil }
        self.init(found)
    }

    /// What a path, given as its bytes, leads to, or the link itself; nil with `errno` set where there is nothing.
    package init?(path: [UInt8], followsLinks: Bool = true) {
        var found = skern_file_status()
        let code = (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
            skern_status_of_path($0.baseAddress, followsLinks ? 1 : 0, &found)
        }
        guard code == 0 else { return nil }
        self.init(found)
    }

    /// That of an open file; nil with `errno` set where it is none.
    package init?(descriptor: Int32) {
        var found = skern_file_status()
        guard skern_status_of_descriptor(descriptor, &found) == 0 else { return nil }
        self.init(found)
    }

    /// Whether it is a regular file.
    package var isRegular: Bool { kind == .regular }
    /// Whether it is a folder.
    package var isFolder: Bool { kind == .folder }
    /// Whether it is a symbolic link.
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
