import Dispatch
import Foundation
import SegueConcurrency
import SegueFFmpeg

/// What was made, kept on a disk up to a number of bytes, past the end of this process.
///
/// Several processes may share the folder. What was used longest ago goes first. Writing happens on a thread of its
/// own, and when it fails the server goes on without.
package final class DiskCache: Sendable {
    /// Why a folder cannot be used.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// The folder.
        package var path: String
        /// The system's reason.
        package var reason: String
        /// One line for a person.
        package var description: String { "\(path): it cannot hold the cache: \(reason)" }
    }

    private struct State {
        /// Bytes in the folder, as far as this process knows.
        var held: Int64 = 0
        /// Bytes written since the folder was last looked through.
        var unseen: Int64 = 0
        /// How many files are not even tried, since writing failed.
        var pause = 0
        var hasGivenNotice = false
        /// Files that are being written or wait for it.
        var writing: Set<String> = []
    }

    /// What waits for being written is in memory; more than this many files are not kept.
    private static let queueLimit = 4
    /// How many files are left out after writing has failed.
    private static let pauseAfterFailure = 32

    private let folder: CacheFolder
    private let limit: Int64
    private let notice: @Sendable (String) -> Void
    private let writer = DispatchQueue(label: "cache")
    private let state = Monitor(State())

    /// A cache in a folder, with what is in it already.
    ///
    /// - Parameters:
    ///   - path: The folder; it is made unless it is there.
    ///   - limit: The greatest number of bytes in it.
    ///   - notice: Told once, in a line, when writing fails.
    /// - Throws: ``Failure`` when the folder cannot be made or used.
    package init(path: String, limit: Int64, notice: @escaping @Sendable (String) -> Void) throws(Failure) {
        do {
            folder = try CacheFolder(path: path)
        } catch {
            throw Failure(path: path, reason: error.reason)
        }
        self.limit = limit
        self.notice = notice
        makeRoom(for: 0)
    }

    /// What was kept under a name; nil where there is nothing, or nothing whole.
    func find(_ name: String) -> SegmentStore.Made? {
        let file = CacheFile.fileName(name)
        guard let bytes = folder.read(file) else { return nil }
        if let made = CacheFile.content(of: bytes, name: name) { return made }
        folder.remove(file)
        return nil
    }

    /// Keeps something, as soon as the disk has time for it.
    func keep(_ made: SegmentStore.Made, as name: String) {
        let file = CacheFile.fileName(name)
        guard Int64(made.bytes.count) < limit / 2 else { return }
        let isNew = state.withLock { state in
            if state.pause > 0 {
                state.pause -= 1
                return false
            }
            // One is being written, the others wait.
            guard state.writing.count <= Self.queueLimit else { return false }
            return state.writing.insert(file).inserted
        }
        guard isNew else { return }
        writer.async { [self] in
            write(made, name: name, file: file)
            state.withLock { _ = $0.writing.remove(file) }
        }
    }

    /// Blocks until nothing waits for being written.
    func waitForWrites() { state.wait(for: { $0.writing.isEmpty }) }

    private func write(_ made: SegmentStore.Made, name: String, file: String) {
        let head = CacheFile.head(of: made, name: name)
        let size = Int64(head.count + made.bytes.count)
        do {
            makeRoom(for: size)
            try put([head, made.bytes], size: size, as: file)
            state.withLock { state in
                state.held += size
                state.unseen += size
            }
        } catch {
            let isFirst = state.withLock { state in
                state.pause = Self.pauseAfterFailure
                defer { state.hasGivenNotice = true }
                return !state.hasGivenNotice
            }
            if isFirst { notice("\(folder.path): \(error.reason); segments are kept in memory alone") }
        }
    }

    /// Writes a file; where the disk is full, once more without the older half of what is there.
    private func put(_ parts: [[UInt8]], size: Int64, as file: String) throws(CacheFolder.Failure) {
        do {
            try folder.write(parts, as: file)
        } catch {
            guard error.isFull else { throw error }
            let held = folder.entries().reduce(0) { $0 + $1.size }
            shrink(to: min(held / 2, held - 2 * size))
            try folder.write(parts, as: file)
        }
    }

    /// Removes files until so many bytes more may be written, by the limit and by what the volume has left.
    private func makeRoom(for size: Int64) {
        let room = folder.room
        let isDue = state.withLock { $0.held + size > limit || $0.unseen > limit / 16 || $0.held == 0 }
        guard isDue || room < size else { return }
        // A tenth less than allowed, so that this is not done for every file.
        shrink(to: limit - size, aim: limit - limit / 10 - size, missing: max(0, size - room))
    }

    private func shrink(to most: Int64, aim: Int64? = nil, missing: Int64 = 0) {
        var entries = folder.entries()
        var held = entries.reduce(0) { $0 + $1.size }
        if held > most || missing > 0 {
            let aim = min(aim ?? most, held - missing)
            entries.sort { $0.isOlder(than: $1) }
            for entry in entries where held > aim {
                folder.remove(entry.name)
                held -= entry.size
            }
        }
        let left = held
        state.withLock { state in
            state.held = left
            state.unseen = 0
        }
    }
}
