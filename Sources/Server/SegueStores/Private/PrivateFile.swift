internal import Foundation
package import SegueAccess

/// Files that only their owner may read.
package enum PrivateFile {
    /// Creates a folder with mode 0700.
    ///
    /// An existing folder keeps its mode.
    ///
    /// - Throws: ``AccessFailure``.
    package static func makeFolder(_ path: String) throws(AccessFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw AccessFailure(path, "cannot create the folder: \(error.localizedDescription)")
        }
    }

    /// Creates an empty file with mode 0600, or sets an existing file to that mode.
    ///
    /// - Throws: ``AccessFailure``.
    package static func make(_ path: String) throws(AccessFailure) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path, "open") }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw failure(path, "fchmod") }
    }

    /// Replaces a file's content atomically.
    ///
    /// - Throws: ``AccessFailure``.
    package static func write(_ text: String, to path: String) throws(AccessFailure) {
        let fresh = path + ".new"
        try make(fresh)
        do {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: fresh))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(text.utf8))
            try file.synchronize()
            try file.close()
        } catch {
            throw AccessFailure(path, "cannot write the file: \(error.localizedDescription)")
        }
        guard rename(fresh, path) == 0 else { throw failure(path, "rename") }
    }

    private static func failure(_ path: String, _ call: String) -> AccessFailure {
        AccessFailure(path, "\(call): \(String(cString: strerror(errno)))")
    }
}
