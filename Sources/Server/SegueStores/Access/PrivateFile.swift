internal import Foundation
internal import SegueAccess

/// Files that only their owner may read.
package enum PrivateFile {
    /// Makes a folder for them, where there is none; one that is there is left as it is.
    ///
    /// - Throws: ``AccessFailure``.
    package static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw AccessFailure(path, "the folder cannot be made: \(error.localizedDescription)")
        }
    }

    /// Makes an empty file where there is none, and takes from others what they may do with one that is there.
    ///
    /// - Throws: ``AccessFailure``.
    package static func make(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw AccessFailure(path, "open: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else {
            throw AccessFailure(path, "fchmod: \(String(cString: strerror(errno)))")
        }
    }

    /// Writes a file anew, whole or not at all.
    ///
    /// - Throws: ``AccessFailure``.
    package static func write(_ text: String, to path: String) throws {
        let fresh = path + ".new"
        try make(fresh)
        do {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: fresh))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(text.utf8))
            try file.synchronize()
            try file.close()
        } catch {
            throw AccessFailure(path, "cannot be written: \(error.localizedDescription)")
        }
        guard rename(fresh, path) == 0 else {
            throw AccessFailure(path, "rename: \(String(cString: strerror(errno)))")
        }
    }
}
