import Dispatch
import Foundation
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// A file without a name for what is being sent and memory has no room for.
///
/// Writing and reading block. What nobody needs any more is given back to the volume on a thread of the spool's own, and
/// the file goes with the last of it.
package final class Spool: Sendable {
    /// Bytes in the file, until it goes.
    final class Part: Sendable {
        fileprivate let place: Range<Int64>
        private let spool: Spool

        fileprivate init(_ place: Range<Int64>, _ spool: Spool) { (self.place, self.spool) = (place, spool) }

        /// Some of the bytes; blocks.
        ///
        /// Nil where the file cannot be read.
        func read(_ range: Range<Int>) -> [UInt8]? { spool.read(place, range) }

        deinit { spool.leave(place) }
    }

    private struct State {
        var file: NamelessFile?
        var space = SpoolSpace()
        /// Stretches that are needed, being written, or not yet given back.
        var stretches = 0
    }

    private let limit: Int64
    private let folders: [String?]
    private let state = Mutex(State())
    private let returning = DispatchQueue(label: "spool")

    /// A spool that has no file yet.
    ///
    /// - Parameters:
    ///   - limit: The greatest number of bytes in the file; of what its volume has free it takes a quarter at most.
    ///   - folders: Where the file may lie, the best place first; nil is the usual folder for temporary files.
    package init(limit: Int64 = 1 << 30, folders: [String?] = Spool.folders) {
        (self.limit, self.folders) = (limit, folders)
    }

    /// The folder that the environment names for temporary files, or the one for large ones, which lies on a disk also
    /// where `/tmp` is memory.
    package static var folders: [String?] {
        [ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp", nil]
    }

    /// How many bytes are in the file.
    var used: Int64 { state.withLock { $0.space.taken } }

    /// Blocks until what is not needed any more has been given back; a test's way to know of it.
    func waitUntilReturned() { returning.sync {} }

    /// Writes bytes; blocks.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: Where they are; nil where there is no room, or no file can be written.
    func write(_ bytes: [UInt8]) -> Part? {
        guard !bytes.isEmpty, let (file, place) = take(Int64(bytes.count)) else { return nil }
        // From here on the part gives its place back, whatever comes.
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
        // A file is made outside the lock; where two are made at once, the second goes.
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

    /// How many bytes the file's volume has free for this process.
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
            // Where the volume cannot give back a part of a file, it has it back with the file.
            if let file = state.withLock({ $0.file }) { Self.giveBack(place, of: file) }
            let gone: NamelessFile? = state.withLock { state in
                state.space.give(place)
                state.stretches -= 1
                return state.stretches == 0 ? state.file.take() : nil
            }
            _ = gone
        }
    }

    /// Makes a hole in a file; Swift's module for glibc leaves the function out, and other C libraries may not have it.
    private static let allocate: Allocate? = dlsym(nil, "fallocate").map { unsafeBitCast($0, to: Allocate.self) }

    private typealias Allocate =
        @convention(c) (_ file: Int32, _ mode: Int32, _ offset: off_t, _ length: off_t) -> Int32

    private static func giveBack(_ place: Range<Int64>, of file: NamelessFile) {
        let (keepsSize, makesHole): (Int32, Int32) = (0x01, 0x02)
        _ = allocate?(file.descriptor, keepsSize | makesHole, off_t(place.lowerBound), off_t(place.count))
    }
}
