import Dispatch
import Foundation
import SegueConcurrency
import SegueFFmpeg

/// A cache of segments on disk, bounded by bytes, which outlives the process.
///
/// Several processes may share the folder. The least recently used files are evicted. A thread of its own writes; when
/// writing fails, the server continues without.
package final class DiskCache: Sendable {
    /// A folder that cannot be used.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var path: String
        /// The system's message.
        package var reason: String
        /// One line for people.
        package var description: String { "\(path): cannot use the folder for the cache: \(reason)" }
    }

    private struct State {
        /// The bytes in the folder, as far as this process knows.
        var held: Int64 = 0
        /// The bytes written since the folder was last scanned.
        var unseen: Int64 = 0
        /// The number of files to skip after a failed write.
        var pause = 0
        var hasGivenNotice = false
        /// The files that are being written or queued.
        var writing: Set<String> = []
    }

    /// The maximum number of queued files, which are in memory; more are dropped.
    private static let queueLimit = 4
    /// The number of files that are skipped after a failed write.
    private static let pauseAfterFailure = 32

    private let folder: CacheFolder
    private let limit: Int64
    private let notice: @Sendable (String) -> Void
    private let writer = DispatchQueue(label: "cache")
    private let state = Monitor(State())

    /// Opens a cache with its existing files.
    ///
    /// - Parameters:
    ///   - path: The folder, which is created if it is missing.
    ///   - limit: The maximum size in bytes.
    ///   - notice: Receives one line when writing fails, once.
    /// - Throws: ``Failure`` if the folder cannot be created or used.
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

    /// The content of an entry, or nil if it is missing or damaged.
    func find(_ name: String) -> SegmentStore.Made? {
        let file = CacheFile.fileName(name)
        guard let bytes = folder.read(file) else { return nil }
        if let made = CacheFile.content(of: bytes, name: name) { return made }
        folder.remove(file)
        return nil
    }

    /// Queues an entry for writing.
    func keep(_ made: SegmentStore.Made, as name: String) {
        let file = CacheFile.fileName(name)
        guard Int64(made.bytes.count) < limit / 2 else { return }
        let isNew = state.withLock { state in
            if state.pause > 0 {
                state.pause -= 1
                return false
            }
            // One is being written, the others are queued.
            guard state.writing.count <= Self.queueLimit else { return false }
            return state.writing.insert(file).inserted
        }
        guard isNew else { return }
        writer.async { [self] in
            write(made, name: name, file: file)
            state.withLock { _ = $0.writing.remove(file) }
        }
    }

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
            if isFirst { notice("\(folder.path): \(error.reason); segments are cached in memory only") }
        }
    }

    /// Writes a file; if the disk is full, evicts the older half and tries again.
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

    /// Evicts files until a new file fits within the limit and the volume.
    private func makeRoom(for size: Int64) {
        let room = folder.room
        let isDue = state.withLock { $0.held + size > limit || $0.unseen > limit / 16 || $0.held == 0 }
        guard isDue || room < size else { return }
        // A tenth more than necessary, so that not every file causes an eviction.
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
