internal import SegueFFmpeg
internal import Synchronization

/// The state of a scan at a keyframe near the end of a file that grows, from which the next scan goes on.
final class ScanCheckpoint: @unchecked Sendable {
    // Sendable: never changed after its creation; a scan that goes on copies the builders.

    /// The distance of a checkpoint from the end of the file, in bytes: the last packets of a file that is being written may
    /// be cut off (choice: more than a group of frames at 50 Mbit/s).
    static let reach: Int64 = 16 << 20

    /// The demuxer's name of the container.
    let format: String
    /// The codecs of the streams.
    let codecs: [String]
    /// The builders of streams, by stream index.
    let notes: [StreamNotes?]
    let jumps: JumpDetector
    /// The subtitle streams without a cue so far.
    let emptySubtitles: Set<Int>
    /// The number of container bytes before the packets that are not noted.
    let position: Int64

    init(_ input: MediaInput, notes: [StreamNotes?], jumps: JumpDetector, emptySubtitles: Set<Int>, position: Int64) {
        format = input.formatName
        codecs = input.streams.map(\.codec)
        self.notes = notes.map { $0.map(StreamNotes.init(copying:)) }
        (self.jumps, self.emptySubtitles, self.position) = (jumps, emptySubtitles, position)
    }

    /// True if a newly opened input has the same streams.
    func fits(_ input: MediaInput) -> Bool { format == input.formatName && codecs == input.streams.map(\.codec) }
}

/// The checkpoints of files that grow.
package final class GrowingScans: Sendable {
    /// The maximum number of files; each takes the memory of an index.
    private static let capacity = 4

    /// The checkpoints of one file, by the method of its index.
    private struct File {
        let tag: String
        let path: String
        var scan: ScanCheckpoint?
        var walk: MatroskaIndex.Checkpoint?
    }

    private let held = Mutex<[File]>([])
    /// The distance of checkpoints from the end of a file, in bytes.
    let reach: Int64

    /// Creates an empty store; `reach` is the distance of checkpoints from the end of a file, in bytes.
    package init(reach: Int64? = nil) { self.reach = reach ?? ScanCheckpoint.reach }

    /// The checkpoint of a scan of a file with its first tag.
    func scan(of path: String, tag: String) -> ScanCheckpoint? { file(path, tag)?.scan }

    /// The checkpoint of a walk through the blocks of a file with its first tag.
    func walk(of path: String, tag: String) -> MatroskaIndex.Checkpoint? { file(path, tag)?.walk }

    private func file(_ path: String, _ tag: String) -> File? {
        held.withLock { $0.first { $0.tag == tag && $0.path == path } }
    }

    /// Keeps the newest checkpoint of a file.
    func keep(_ scan: ScanCheckpoint?, _ walk: MatroskaIndex.Checkpoint?, of path: String, tag: String) {
        held.withLock { held in
            held.removeAll { $0.path == path }
            held.append(File(tag: tag, path: path, scan: scan, walk: walk))
            if held.count > Self.capacity { held.removeFirst() }
        }
    }
}

/// The checkpoints of one file.
struct FileScans: Sendable {
    let scans: GrowingScans
    /// The path of the file.
    let path: String
    /// The first tag of the file.
    let tag: String
    /// The size of the file when it was opened, in bytes.
    let size: Int64

    /// The checkpoints of a file; nil if it does not grow.
    init?(_ scans: GrowingScans, of file: FileIdentity) {
        guard let tag = file.growsFrom else { return nil }
        (self.scans, path, self.tag, size) = (scans, file.path, tag, file.size)
    }

    var last: ScanCheckpoint? { scans.scan(of: path, tag: tag) }
    var lastWalk: MatroskaIndex.Checkpoint? { scans.walk(of: path, tag: tag) }

    /// The position from which on a checkpoint of a scan is taken.
    var due: Int64 { size - scans.reach }

    func keep(_ scan: ScanCheckpoint) { scans.keep(scan, nil, of: path, tag: tag) }

    func keep(_ walk: MatroskaIndex.Checkpoint) { scans.keep(nil, walk, of: path, tag: tag) }
}
