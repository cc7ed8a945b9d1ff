import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import Synchronization

/// What was made last, up to a number of bytes; what several ask for at once is made once.
///
/// What somebody is being sent is found as long as that lasts: when there is no room for it any more, it goes to a spool.
final class SegmentStore: Sendable {
    /// One thing that is made from a file.
    enum Key: Hashable, Sendable {
        case initSegment(DeliveredRendition)
        case segment(DeliveredSegment)
        /// A segment that is cut into parts that are so long, in microseconds.
        case chunks(DeliveredSegment, parts: [Int32])
        /// Where the segments lie when all of them are one resource.
        case layout(DeliveredRendition)
        /// A picture of a file, or the one beside it; as wide as it is where no width is named.
        case artwork(FileIdentity, side: FileIdentity?, width: Int?)

        /// The name under which it is found again on a disk, by this program and on this file alone.
        var name: String {
            switch self {
            case .initSegment(let delivered):
                Self.name("init \(delivered.rendition.rawValue)", delivered.identity, delivered.device)
            case .segment(let segment): Self.name("segment \(segment.number)", segment.delivered)
            case .chunks(let segment, let parts):
                Self.name("chunks \(segment.number) \(parts)", segment.delivered)
            case .layout(let delivered): Self.name("layout", delivered)
            case .artwork(let identity, let side, let width):
                Self.name("artwork \(width ?? 0)\n\(side?.path ?? "") \(side?.tag ?? "")", identity, .any)
            }
        }

        private static func name(_ what: String, _ delivered: DeliveredRendition) -> String {
            let piece = "\(what) \(delivered.rendition.rawValue) \(delivered.container.rawValue)"
            return name(piece, delivered.identity, delivered.device)
        }

        private static func name(_ what: String, _ identity: FileIdentity, _ device: DeviceProfile) -> String {
            let file = "\(identity.path)\n\(identity.size) \(identity.modifiedNanoseconds) \(identity.inode)"
            let whom = device == .any ? "" : "\n\(device.words)"
            return "\(ProgramVersion.text)\n\(what)\n\(file)\(whom)"
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
        /// Bytes in memory: of what was made last, and of what is only there as it is being sent.
        var heldBytes = 0
        var sendingBytes = 0
        var spooledBytes: Int64 = 0
    }

    /// Bytes that somebody may still need.
    private struct Needed {
        weak var bytes: KeptBytes?
    }

    private struct State: Sendable {
        var held: LeastRecentlyUsed<Key, Made>
        var counts = Counts()
        /// The sizes of what was made last, in bytes; the last one first.
        var sizes: [Int] = []
        var needed: [Key: Needed] = [:]
        /// How many there may be before those are looked for that nobody needs any more.
        var mostNeeded = 64

        /// What somebody needs already.
        func find(_ key: Key) -> KeptBytes? { needed[key]?.bytes.flatMap { $0.stay ? $0 : nil } }

        mutating func note(_ bytes: KeptBytes, for key: Key) {
            needed[key] = Needed(bytes: bytes)
            guard needed.count > mostNeeded else { return }
            needed = needed.filter { $0.value.bytes != nil }
            mostNeeded = max(64, 2 * needed.count)
        }

        /// Keeps what was made.
        ///
        /// - Returns: Those for which there is no room, but whom somebody needs.
        mutating func keep(_ made: Made, _ bytes: KeptBytes, for key: Key, isAhead: Bool) -> [KeptBytes] {
            sizes = Array(([made.bytes.count] + sizes).prefix(SegmentStore.remembered))
            note(bytes, for: key)
            let future = isAhead ? SegmentStore.usesUntilAsked : 0
            return held.insert(made, for: key, cost: made.bytes.count, usedIn: future).compactMap { needed[$0]?.bytes }
        }
    }

    /// How many sizes are remembered.
    private static let remembered = 8
    /// How many uses of the store may pass until somebody asks for what was made before it was asked for.
    private static let usesUntilAsked: UInt64 = 16

    private let state: Mutex<State>
    private let disk: DiskCache?
    private let spool: Spool?
    private let sendingRoom: RoomForSending
    /// Room for what is in the making.
    let making = EncodingSlots()
    private let flights = SingleFlight<Key, KeptBytes>()

    /// A store.
    ///
    /// - Parameters:
    ///   - limit: How many bytes of what was made last are held.
    ///   - disk: What a disk has besides.
    ///   - spool: Takes what is being sent and has no room.
    ///   - sendingLimit: How many bytes of that stay in memory where it does not.
    init(limit: Int, disk: DiskCache? = nil, spool: Spool? = nil, sendingLimit: Int = .max) {
        state = Mutex(State(held: LeastRecentlyUsed(limit: limit)))
        sendingRoom = RoomForSending(limit: sendingLimit)
        (self.disk, self.spool) = (disk, spool)
    }

    /// What the store has done so far.
    var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.heldBytes = state.held.cost
            counts.sendingBytes = sendingRoom.count
            counts.spooledBytes = spool?.used ?? 0
            return counts
        }
    }

    /// The size of the largest of those made lately, in bytes; 0 where there is none.
    var greatestSize: Int { state.withLock { $0.sizes.max() ?? 0 } }

    /// How many segments as large as the largest of those made lately there is room for.
    var room: Int {
        state.withLock { $0.held.limit / max(1, $0.sizes.max() ?? 1) }
    }

    /// The bytes for a key, all of them in memory; see ``kept(for:cancellation:isAhead:isCostly:make:)``.
    func bytes(
        for key: Key,
        cancellation: Cancellation,
        isAhead: Bool = false,
        isCostly: () -> Bool = { false },
        make: (Cancellation) throws -> [UInt8]
    ) throws -> Made {
        while true {
            let kept = try kept(
                for: key,
                cancellation: cancellation,
                isAhead: isAhead,
                isCostly: isCostly,
                make: make
            )
            // Bytes may have been let go of in between.
            if let bytes = kept.read(0..<kept.count) { return Made(bytes: bytes, tag: kept.tag) }
        }
    }

    /// The bytes for a key: held, being sent to somebody, in the making, or made now.
    ///
    /// - Parameters:
    ///   - key: What is wanted.
    ///   - cancellation: The caller's own.
    ///   - isAhead: Whether they are made before they are asked for; then what has been asked for makes way for them.
    ///   - isCostly: Whether it is worth the disk's room; asked when it has been made.
    ///   - make: Makes the bytes; gets the work's own cancellation.
    /// - Returns: The bytes, which are found by others as long as this is held.
    /// - Throws: What `make` throws, or ``OriginFailure`` when the caller was cancelled.
    func kept(
        for key: Key,
        cancellation: Cancellation,
        isAhead: Bool = false,
        isCostly: () -> Bool = { false },
        make: (Cancellation) throws -> [UInt8]
    ) throws -> KeptBytes {
        if let kept = find(key) { return kept }
        return try flights.value(for: key, cancellation: cancellation) { work in
            // Another flight may have landed between the look above and this one's start.
            if let kept = self.find(key) { return kept }
            if let disk, let made = disk.find(key.name) {
                return keep(made, for: key, isAhead: isAhead) { $0.foundOnDisk += 1 }
            }
            let bytes = try make(work)
            let made = Made(bytes: bytes, tag: ContentTag.of(bytes))
            if let disk, isCostly() { disk.keep(made, as: key.name) }
            return keep(made, for: key, isAhead: isAhead) { $0.made += 1 }
        }
    }

    /// Keeps a quarter of what it may, what was used last, when many of those have gone for whom it was kept; may block.
    func shrink() {
        let homeless = state.withLock { state in
            state.held.shrink(to: state.held.limit / 4).compactMap { state.needed[$0]?.bytes }
        }
        leave(homeless)
    }

    /// Finds another place for what the store has no room for; `new` is what whoever has made it has not had yet.
    private func leave(_ homeless: [KeptBytes], new: KeptBytes? = nil) {
        for kept in homeless where !kept.leaveStore(to: spool, or: sendingRoom, isNew: kept === new) {
            making.noteShortage()
        }
    }

    private func keep(_ made: Made, for key: Key, isAhead: Bool, count: (inout Counts) -> Void) -> KeptBytes {
        let kept = KeptBytes(made.bytes, tag: made.tag)
        let (other, homeless) = state.withLock { state -> (KeptBytes?, [KeptBytes]) in
            count(&state.counts)
            // Somebody whose request was given up may have made the same at the same time.
            if let other = state.find(key) { return (other, []) }
            return (nil, state.keep(made, kept, for: key, isAhead: isAhead))
        }
        leave(homeless, new: kept)
        return other ?? kept
    }

    /// Whether something is in memory.
    func holds(_ key: Key) -> Bool { state.withLock { $0.held.holds(key) } }

    /// Blocks until nothing waits for being written to the disk.
    func waitForDisk() { disk?.waitForWrites() }

    /// Blocks until so many callers wait for what is in the making; see ``SingleFlight/waitForCallers(_:of:)``.
    func waitForCallers(_ count: Int, of key: Key) { flights.waitForCallers(count, of: key) }

    private func find(_ key: Key) -> KeptBytes? {
        state.withLock { state in
            let made = state.held.value(for: key)
            var found = state.find(key)
            if found == nil, let made {
                let kept = KeptBytes(made.bytes, tag: made.tag)
                state.note(kept, for: key)
                found = kept
            }
            if found != nil { state.counts.found += 1 }
            return found
        }
    }
}
