internal import CSegueSystem
package import Foundation

/// A folder whose files others may replace while they are served; it is one as long as this object exists.
///
/// A name below it that was checked may lead elsewhere a moment later, through a symbolic link. ``ReadableFile`` therefore
/// checks what it has opened.
package final class GuardedFolder: Sendable {
    /// The bytes of the path, with a final zero.
    private let path: [CChar]

    /// - Parameter path: The absolute path without links and dots.
    package init(path: [UInt8]) {
        self.path = path.map(CChar.init(bitPattern:)) + [0]
        precondition(self.path.withUnsafeBufferPointer { skern_serve($0.baseAddress) } == 0, "out of memory")
    }

    deinit { path.withUnsafeBufferPointer { skern_serve_no_longer($0.baseAddress) } }
}

/// Opens files for reading; below a ``GuardedFolder``, only regular files that are really there.
package enum ReadableFile {
    /// Returns a descriptor, or -1 with `errno` set: `EXDEV` for a file outside of its served folder.
    package static func open(_ path: String, _ flags: Int32 = 0) -> Int32 { skern_open_file(path, flags | O_RDONLY) }

    /// Returns a descriptor for a path given as bytes without zeros, or -1 with `errno` set.
    package static func open(_ path: [UInt8], _ flags: Int32 = 0) -> Int32 {
        (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
            skern_open_file($0.baseAddress, flags | O_RDONLY)
        }
    }

    /// Returns a handle that closes the file when it is released, or nil with `errno` set.
    package static func handle(_ path: String) -> FileHandle? {
        let descriptor = open(path)
        return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
