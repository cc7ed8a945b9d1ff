import Foundation
import SegueConcurrency
import SegueFFmpeg

/// A folder of cache files, which other processes may use at the same time.
///
/// Files appear atomically by renaming. The modification time of a file is the time of its last use.
struct CacheFolder: Sendable {
    struct Failure: Error, Equatable {
        /// The value of `errno`.
        var number: Int32
        var reason: String { String(cString: strerror(number)) }
        /// True if the volume is full.
        var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

        fileprivate init(_ number: Int32 = errno) { self.number = number }
    }

    struct Entry {
        var name: String
        var size: Int64
        /// The last use in nanoseconds since 1970.
        var lastUse: Int64

        func isOlder(than other: Entry) -> Bool {
            (lastUse, name) < (other.lastUse, other.name)
        }
    }

    private static let unfinished = ".unfinished"
    /// The age in seconds after which an unfinished file counts as abandoned.
    private static let patience: Int64 = 3600

    let path: String

    /// Creates the folder if it is missing, and tests that it is writable.
    ///
    /// - Throws: ``Failure``.
    init(path: String) throws(Failure) {
        self.path = path
        guard Self.make(path) else { throw Failure() }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw Failure() }
    }

    /// Creates a folder and its parents.
    private static func make(_ path: String) -> Bool {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return false }
        return make(String(path[..<slash])) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
    }

    /// The files in the folder; abandoned files are removed.
    func entries() -> [Entry] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while let found = readdir(directory) {
            let name = withUnsafePointer(to: &found.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(CacheFile.suffix) || name.hasSuffix(Self.unfinished),
                let status = FileStatus(path: file(name), followsLinks: false), status.isRegular
            else { continue }
            if name.hasSuffix(Self.unfinished) {
                if status.modifiedNanoseconds / 1_000_000_000 + Self.patience < Int64(time(nil)) { remove(name) }
            } else {
                entries.append(Entry(name: name, size: status.size, lastUse: status.modifiedNanoseconds))
            }
        }
        return entries
    }

    /// Reads a file and marks it as used, or returns nil if it cannot be read.
    func read(_ name: String) -> [UInt8]? {
        let descriptor = open(file(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor), status.isRegular else { return nil }
        let size = Int(status.size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = Glibc.read(descriptor, buffer.baseAddress! + count, size - count)
                if got < 0 && errno == EINTR { continue }
                if got <= 0 { return }
                count += got
            }
        }
        futimens(descriptor, nil)
        return bytes
    }

    /// Writes a file.
    ///
    /// - Throws: ``Failure``; no partial file remains.
    func write(_ parts: [[UInt8]], as name: String) throws(Failure) {
        let temporary = "\(name).\(getpid())\(Self.unfinished)"
        let descriptor = open(file(temporary), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Failure() }
        var failure: Failure?
        for part in parts where failure == nil { failure = Self.write(part, to: descriptor) }
        if close(descriptor) != 0, failure == nil { failure = Failure() }
        if failure == nil, rename(file(temporary), file(name)) != 0 { failure = Failure() }
        guard let failure else { return }
        remove(temporary)
        throw failure
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Failure? {
        bytes.withUnsafeBytes { buffer in
            var place = 0
            while place < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress! + place, buffer.count - place)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return Failure(count < 0 ? errno : ENOSPC) }
                place += count
            }
            return nil
        }
    }

    func remove(_ name: String) { unlink(file(name)) }

    /// The number of bytes that may still be written; a twentieth of the volume stays free.
    var room: Int64 {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return .max }
        let block = Int64(status.f_frsize)
        return (Int64(status.f_bavail) - Int64(status.f_blocks) / 20) * block
    }

    private func file(_ name: String) -> String { path + "/" + name }
}
