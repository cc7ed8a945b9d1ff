import Media
import Packager
import Synchronization

/// What was made last, up to a number of bytes; what several ask for at once is made once.
final class SegmentStore: Sendable {
    /// One thing that is made from a file.
    struct Key: Hashable, Sendable {
        /// What it is.
        enum Part: Hashable, Sendable {
            case initSegment(Rendition)
            case segment(Int, Rendition, SegmentContainer)
            /// Where the segments lie when all of them are one resource.
            case layout(Rendition, SegmentContainer)
            case artwork
        }

        var identity: FileIdentity
        /// Whom it is made for.
        var device = DeviceProfile.any
        var part: Part

        /// The name under which it is found again on a disk, by this program and on this file alone.
        var name: String {
            let file = "\(identity.path)\n\(identity.size) \(identity.modifiedNanoseconds) \(identity.inode)"
            let part =
                switch part {
                case .initSegment(let rendition): "init \(rendition.rawValue)"
                case .segment(let number, let rendition, let container):
                    "segment \(number) \(rendition.rawValue) \(container.rawValue)"
                case .layout(let rendition, let container): "layout \(rendition.rawValue) \(container.rawValue)"
                case .artwork: "artwork"
                }
            let whom = device == .any ? "" : "\n\(device.words)"
            return "\(ProgramVersion.text)\n\(part)\n\(file)\(whom)"
        }
    }

    /// Bytes with their entity tag.
    struct Made: Sendable {
        var bytes: [UInt8]
        var tag: String
    }

    /// What the store has done, for people who watch it.
    struct Counts: Sendable {
        var made = 0
        var found = 0
        var foundOnDisk = 0
        var heldBytes = 0
    }

    private struct State: Sendable {
        var held: LeastRecentlyUsed<Key, Made>
        var counts = Counts()
        /// The sizes of what was made last, in bytes; the last one first.
        var sizes: [Int] = []

        mutating func keep(_ made: Made, for key: Key, isAhead: Bool) {
            sizes = Array(([made.bytes.count] + sizes).prefix(SegmentStore.remembered))
            held.insert(made, for: key, cost: made.bytes.count, usedIn: isAhead ? SegmentStore.usesAhead : 0)
        }
    }

    /// How many sizes are remembered.
    private static let remembered = 8
    /// How many uses of the store may pass until somebody asks for what was made before it was asked for.
    private static let usesAhead: UInt64 = 16

    private let state: Mutex<State>
    private let disk: DiskCache?
    private let flights = SingleFlight<Key, Made>()

    /// A store of so many bytes at most, and of what a disk has besides.
    init(limit: Int, disk: DiskCache? = nil) {
        state = Mutex(State(held: LeastRecentlyUsed(limit: limit)))
        self.disk = disk
    }

    /// What the store has done so far.
    var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.heldBytes = state.held.cost
            return counts
        }
    }

    /// How many segments as large as the largest of those made lately there is room for.
    var room: Int {
        state.withLock { $0.held.limit / max(1, $0.sizes.max() ?? 1) }
    }

    /// The bytes for a key: held, in the making, or made now.
    ///
    /// - Parameters:
    ///   - key: What is wanted.
    ///   - cancellation: The caller's own.
    ///   - isAhead: Whether they are made before anybody asks for them; then what has been asked for makes way for them.
    ///   - isCostly: Whether it is worth the disk's room; asked when it has been made.
    ///   - make: Makes the bytes; gets the work's own cancellation.
    /// - Returns: The bytes and their tag.
    /// - Throws: What `make` throws, or ``OriginFailure`` when the caller was cancelled.
    func bytes(
        for key: Key,
        cancellation: Cancellation,
        isAhead: Bool = false,
        isCostly: () -> Bool = { false },
        make: (Cancellation) throws -> [UInt8]
    ) throws -> Made {
        if let made = find(key) { return made }
        return try flights.value(for: key, cancellation: cancellation) { work in
            // Another flight may have landed between the look above and this one's start.
            if let made = self.find(key) { return made }
            if let disk, let made = disk.find(key.name) {
                self.state.withLock { state in
                    state.counts.foundOnDisk += 1
                    state.keep(made, for: key, isAhead: isAhead)
                }
                return made
            }
            let bytes = try make(work)
            let made = Made(bytes: bytes, tag: ContentTag.of(bytes))
            self.state.withLock { state in
                state.counts.made += 1
                state.keep(made, for: key, isAhead: isAhead)
            }
            if let disk, isCostly() { disk.keep(made, as: key.name) }
            return made
        }
    }

    /// Keeps a quarter of what it may, what was used last, when many of those have gone for whom it was kept.
    func shrink() { state.withLock { $0.held.shrink(to: $0.held.limit / 4) } }

    /// Whether something is in memory.
    func holds(_ key: Key) -> Bool { state.withLock { $0.held.holds(key) } }

    /// Blocks until nothing waits for being written to the disk.
    func waitForDisk() { disk?.waitForWrites() }

    /// Blocks until so many callers wait for what is in the making; see ``SingleFlight/waitForCallers(_:of:)``.
    func waitForCallers(_ count: Int, of key: Key) { flights.waitForCallers(count, of: key) }

    private func find(_ key: Key) -> Made? {
        state.withLock { state in
            let made = state.held.value(for: key)
            if made != nil { state.counts.found += 1 }
            return made
        }
    }
}
