internal import Foundation
internal import Glibc

/// Keeps a second process out of a run's folder, for as long as this one lives or a worker of it.
final class RunLock {
    private let file: Int32

    /// Takes the lock of a folder.
    ///
    /// - Throws: ``RunFolderError`` that says who has it.
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
            throw RunFolderError(folder, "\(name) is at work on this run")
        }
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let holder = Array("process \(getpid()) on \(name), since \(RunHeader.now())\n".utf8)
        // Only a message has less to say where this cannot be written.
        _ = ftruncate(file, 0)
        _ = pwrite(file, holder, holder.count, 0)
    }

    deinit { close(file) }
}
