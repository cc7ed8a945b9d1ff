import Dispatch
import Foundation
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// A temporary file for bytes that are being sent and do not fit into memory.
///
/// Writing and reading block. A thread of the spool returns unused space to the volume. The file is deleted with its
/// last bytes.
package final class Spool: Sendable {
    /// A range of the file, freed on release.
    final class Part: Sendable {
        fileprivate let place: Range<Int64>
        private let spool: Spool

        fileprivate init(_ place: Range<Int64>, _ spool: Spool) { (self.place, self.spool) = (place, spool) }

        /// Reads some of the bytes; blocks.
        ///
        /// Nil if the file cannot be read.
        func read(_ range: Range<Int>) -> [UInt8]? { spool.read(place, range) }

        deinit { spool.leave(place) }
    }

    private struct State {
        var file: NamelessFile?
        var space = SpoolSpace()
        /// The number of ranges that are in use, being written, or not returned yet.
        var stretches = 0
    }

    private let limit: Int64
    private let folders: [String?]
    private let state = Mutex(State())
    private let returning = DispatchQueue(label: "spool")

    /// Creates a spool without a file.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes; the spool uses at most a quarter of the volume's free space.
    ///   - folders: The folders to try in order; nil is the default folder for temporary files.
    package init(limit: Int64 = 1 << 30, folders: [String?] = Spool.folders) {
        (self.limit, self.folders) = (limit, folders)
    }

    /// The folder that the environment names for temporary files, or `/var/tmp`, which is on a disk even if `/tmp` is
    /// in memory.
    package static var folders: [String?] {
        [ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp", nil]
    }

    /// The number of bytes in the file.
    var used: Int64 { state.withLock { $0.space.taken } }

    /// Blocks until unused space is returned; for tests.
    func waitUntilReturned() { returning.sync {} }

    /// Writes bytes; blocks.
    ///
    /// - Returns: Their place, or nil if there is no room or no file can be written.
    func write(_ bytes: [UInt8]) -> Part? {
        guard !bytes.isEmpty, let (file, place) = take(Int64(bytes.count)) else { return nil }
        // From here on the part frees its range on release.
        let part = Part(place, self)
        let isWritten = bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = pwrite(
                    file.descriptor,
                    buffer.baseAddress! + done,
                    buffer.count - done,
                    off_t(place.lowerBound) + off_t(done)
                )
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return false }
                done += count
            }
            return true
        }
        return isWritten ? part : nil
    }

    private func take(_ count: Int64) -> (NamelessFile, Range<Int64>)? {
        // The file is created outside the lock; of two created at once, the second is dropped.
        guard let made = state.withLock({ $0.file }) ?? makeFile() else { return nil }
        let free = Self.freeBytes(made)
        return state.withLock { state in
            let file = state.file ?? made
            let taken = state.space.taken
            guard count <= min(limit, free / 4 + taken / 4) - taken else { return nil }
            state.file = file
            state.stretches += 1
            return (file, state.space.take(count))
        }
    }

    private func makeFile() -> NamelessFile? {
        for folder in folders {
            if let file = try? NamelessFile(in: folder) { return file }
        }
        return nil
    }

    /// The free space of the file's volume in bytes.
    private static func freeBytes(_ file: NamelessFile) -> Int64 {
        var status = statvfs()
        guard fstatvfs(file.descriptor, &status) == 0 else { return 0 }
        let (free, isTooMuch) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooMuch ? .max : Int64(clamping: free)
    }

    private func read(_ place: Range<Int64>, _ range: Range<Int>) -> [UInt8]? {
        guard let file = state.withLock({ $0.file }), range.upperBound <= place.count else { return nil }
        let start = off_t(place.lowerBound) + off_t(range.lowerBound)
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let got = pread(file.descriptor, buffer.baseAddress! + count, range.count - count, start + off_t(count))
                if got < 0 && errno == EINTR { continue }
                if got <= 0 { return }
                count += got
            }
        }
        return bytes.count == range.count ? bytes : nil
    }

    private func leave(_ place: Range<Int64>) {
        returning.async { [self] in
            // If the volume cannot punch holes, the space is returned with the file.
            if let file = state.withLock({ $0.file }) { Self.giveBack(place, of: file) }
            let gone: NamelessFile? = state.withLock { state in
                state.space.give(place)
                state.stretches -= 1
                return state.stretches == 0 ? state.file.take() : nil
            }
            _ = gone
        }
    }

    /// `fallocate`, which Swift's module for glibc leaves out and other C libraries may not have.
    private static let allocate: Allocate? = dlsym(nil, "fallocate").map { unsafeBitCast($0, to: Allocate.self) }

    private typealias Allocate =
        @convention(c) (_ file: Int32, _ mode: Int32, _ offset: off_t, _ length: off_t) -> Int32

    private static func giveBack(_ place: Range<Int64>, of file: NamelessFile) {
        let (keepsSize, makesHole): (Int32, Int32) = (0x01, 0x02)
        _ = allocate?(file.descriptor, keepsSize | makesHole, off_t(place.lowerBound), off_t(place.count))
    }
}
