import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import Synchronization

/// The files that are written while they are served, such as recordings in progress.
///
/// Their addresses stay valid while data are appended. A file grows if a process writes to it when it is first served,
/// or if it becomes longer and its former end is unchanged; otherwise a changed file is another version, with other
/// addresses.
final class GrowingFiles: Sendable {
    /// The time without a change after which a file is complete, in milliseconds.
    ///
    /// Choice: recorders write at least every few seconds.
    static let stillness: Int64 = 10_000
    /// The time after which a file is complete although a process still has it open.
    ///
    /// Choice: a program may never close its files.
    static let stillnessWithWriter: Int64 = 60_000
    /// The minimum time between two openings of a growing file, in milliseconds.
    ///
    /// Choice: half of a second per segment of 6 s.
    static let leastPause: Int64 = 1000
    /// The maximum share of the time in which a growing file is opened again: one part of this number.
    static let share: Int64 = 10

    private static let limit = 2000

    private struct File {
        /// The identity at the last look.
        var seen: FileIdentity
        /// The bytes before the end at that time.
        var end: FileEnd
        /// The time of the last known change, in milliseconds since 1970.
        var changed: Int64
        /// The first tag; nil for a file that has not grown.
        var tag: String?
        var isComplete = true
        /// The version that is served; nil before it is opened.
        var served: FileIdentity?
        var opened: Int64 = 0
        /// The time that opening took, in milliseconds.
        var cost: Int64 = 0
        /// The facts of the served version.
        var facts: [Layout: PresentationFacts] = [:]

        var newest: FileIdentity { tag.map { seen.growing(from: $0, isComplete: isComplete) } ?? seen }
    }

    /// A way to open a file.
    struct Layout: Hashable, Sendable {
        let device: DeviceProfile
        /// Nil for both.
        let container: SegmentContainer?

        init(device: DeviceProfile, container: SegmentContainer?) {
            (self.device, self.container) = (device, device == .any ? nil : container)
        }
    }

    private let files = Mutex(LeastRecentlyUsed<String, File>(limit: GrowingFiles.limit))
    private let now: @Sendable () -> Int64
    private let hasWriter: @Sendable (String) -> Bool?
    private let records: GrowthRecords

    /// - Parameters:
    ///   - records: The tags of files that grew before the server started.
    ///   - now: The clock, in milliseconds since 1970.
    ///   - hasWriter: Returns whether a process writes to a file; nil if that is unknown.
    init(
        records: GrowthRecords = GrowthRecords(nil),
        now: @escaping @Sendable () -> Int64,
        hasWriter: @escaping @Sendable (String) -> Bool? = FileWriters.exist(path:)
    ) {
        (self.records, self.now, self.hasWriter) = (records, now, hasWriter)
    }

    /// The version of a file whose segments are served.
    func served(_ path: String) throws(PackagingError) -> FileIdentity {
        let file = try look(path)
        return file.served ?? file.newest
    }

    /// The version to open for a playlist: the newest one, unless opening it that often costs too much.
    func newest(_ path: String) throws(PackagingError) -> FileIdentity {
        let file = try look(path)
        guard let served = file.served, !file.isComplete else { return file.newest }
        let pause = max(Self.leastPause, Self.share * file.cost)
        return now() - file.opened < pause ? served : file.newest
    }

    /// The effect of serving a newly opened version.
    enum Serving {
        /// It replaces the version that was served before, if there was another one.
        case inPlace(of: FileIdentity?)
        /// Segments that were served have changed, so the file has new addresses and must be opened again.
        case readdressed
    }

    /// Serves a newly opened version of a growing file.
    ///
    /// - Parameters:
    ///   - layout: The way in which it was opened.
    ///   - began: The time at which opening began, in milliseconds since 1970.
    func serve(_ presentation: any Presenting, as layout: Layout, openedFrom began: Int64) -> Serving {
        let (identity, facts) = (presentation.identity, presentation.facts)
        return files.withLock { files in
            guard var file = files.value(for: identity.path), file.tag == identity.growsFrom else {
                return .inPlace(of: nil)
            }
            defer { files.insert(file, for: identity.path, cost: 1) }
            if let known = file.facts[layout], !facts.continues(known) {
                (file.tag, file.served, file.facts) = (file.seen.tag, nil, [:])
                return .readdressed
            }
            let former = file.served.flatMap { $0.isSameVersion(as: identity) ? nil : $0 }
            if file.served == nil || former != nil {
                (file.served, file.opened, file.cost) = (identity, now(), now() - began)
            }
            file.facts[layout] = facts
            return .inPlace(of: former)
        }
    }

    /// Returns true if a segment of a served file is final, in a layout that was opened.
    func isFinal(_ number: Int, of identity: FileIdentity, as layout: Layout) -> Bool {
        if identity.isComplete { return true }
        let plan = files.withLock { $0.value(for: identity.path)?.facts[layout]?.plan }
        return plan.map { number < $0.settledCount } ?? false
    }

    /// Compares the file with its last known state.
    private func look(_ path: String) throws(PackagingError) -> File {
        let current = try FileIdentity(ofFileAt: path)
        let known = files.withLock { $0.value(for: path) }
        var file: File
        if var old = known, old.seen == current {
            if old.isComplete { return old }
            guard isStill(old, path) else { return old }
            old.isComplete = true
            file = old
        } else if var old = known, current.inode == old.seen.inode, current.size >= old.seen.size, old.end.isIn(path),
            old.tag != nil || current.size > old.seen.size
        {
            // The first data after a long pause: the file is complete again when it is still.
            if old.tag == nil { records.keep(old.seen.tag, of: current, end: old.end) }
            old.tag = old.tag ?? old.seen.tag
            (old.seen, old.changed, old.isComplete) = (current, now(), current.hasWholeIndex)
            old.end = FileEnd(path, size: current.size)
            file = old
        } else {
            file = first(current)
        }
        files.withLock { files in
            // Another thread may have opened a version in the meantime.
            if let other = files.value(for: path), other.tag == file.tag {
                (file.served, file.opened, file.cost) = (other.served, other.opened, other.cost)
                file.facts = other.facts
            }
            files.insert(file, for: path, cost: 1)
        }
        return file
    }

    private func first(_ current: FileIdentity) -> File {
        let modified = current.modifiedNanoseconds / 1_000_000
        var file = File(seen: current, end: FileEnd(current.path, size: current.size), changed: modified)
        file.tag = records.tag(of: current)
        let age = now() - modified
        guard age >= 0, age < Self.stillness, hasWriter(current.path) != false, !current.hasWholeIndex else {
            return file
        }
        if file.tag == nil {
            file.tag = current.tag
            records.keep(current.tag, of: current, end: file.end)
        }
        file.isComplete = false
        return file
    }

    private func isStill(_ file: File, _ path: String) -> Bool {
        let age = now() - file.changed
        if age >= Self.stillnessWithWriter { return true }
        return age >= Self.stillness && hasWriter(path) != true
    }
}

extension FileIdentity {
    /// Returns true if two equal identities are of the same state of a file that grows.
    func isSameVersion(as other: FileIdentity) -> Bool {
        self == other && size == other.size && isComplete == other.isComplete
    }
}
