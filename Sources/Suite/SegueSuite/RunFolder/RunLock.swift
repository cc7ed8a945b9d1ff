internal import Foundation
internal import Glibc

/// A lock on a run folder, held while this process or a worker of it lives.
final class RunLock {
    private let file: Int32

    /// Locks a folder.
    ///
    /// - Throws: ``RunFolderError`` with the holder of the lock.
    init(folder: String) throws(RunFolderError) {
        let path = "\(folder)/lock"
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw RunFolderError(system: path) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            defer { close(file) }
            guard number == EWOULDBLOCK else { throw RunFolderError(path, String(cString: strerror(number))) }
            let holder = String(decoding: WorkerFiles.contents(of: file).prefix(300), as: UTF8.self)
            let name = holder.isEmpty ? "another process" : holder.trimmingCharacters(in: .whitespacesAndNewlines)
            throw RunFolderError(folder, "\(name) is using this run")
        }
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let holder = Array("process \(getpid()) on \(name), since \(RunHeader.now())\n".utf8)
        // A failed write only makes the message of another process less specific.
        _ = ftruncate(file, 0)
        _ = pwrite(file, holder, holder.count, 0)
    }

    deinit { close(file) }
}
