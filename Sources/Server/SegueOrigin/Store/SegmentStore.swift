import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import Synchronization

/// A cache of segments bounded by bytes; concurrent requests for one segment share its making.
///
/// Bytes that are being sent stay available: if the cache has no room for them, they move to a spool.
final class SegmentStore: Sendable {
    /// The key of an entry.
    enum Key: Hashable, Sendable {
        case initSegment(DeliveredRendition)
        case segment(DeliveredSegment)
        /// A segment divided into parts of these durations in microseconds.
        case chunks(DeliveredSegment, parts: [Int32])
        /// The byte ranges of the segments in one resource.
        case layout(DeliveredRendition)
        /// An image of a file, or the one next to it; without a width, in its original size.
        case artwork(FileIdentity, side: FileIdentity?, width: Int?)

        /// The name on disk, specific to this program version and this file version.
        var name: String {
            switch self {
            case .initSegment(let delivered):
                Self.name("init \(delivered.rendition.rawValue)", of: delivered.identity, device: delivered.device)
            case .segment(let segment): Self.name("segment \(segment.number)", segment.delivered)
            case .chunks(let segment, let parts):
                Self.name("chunks \(segment.number) \(parts)", segment.delivered)
            case .layout(let delivered): Self.name("layout", delivered)
            case .artwork(let identity, let side, let width):
                Self.name("artwork \(width ?? 0)\n\(side?.path ?? "") \(side?.tag ?? "")", of: identity, device: .any)
            }
        }

        private static func name(_ what: String, _ delivered: DeliveredRendition) -> String {
            let piece = "\(what) \(delivered.rendition.rawValue) \(delivered.container.rawValue)"
            return name(piece, of: delivered.identity, device: delivered.device)
        }

        private static func name(_ what: String, of identity: FileIdentity, device: DeviceProfile) -> String {
            let file = "\(identity.path)\n\(identity.size) \(identity.modifiedNanoseconds) \(identity.inode)"
            let whom = device == .any ? "" : "\n\(device.words)"
            return "\(ProgramVersion.text)\n\(what)\n\(file)\(whom)"
        }
    }

    struct Made: Sendable {
        var bytes: [UInt8]
        var tag: String
    }

    /// The counters of the store.
    struct Counts: Sendable {
        var made = 0
        var found = 0
        var foundOnDisk = 0
        /// The bytes in memory: cached, and kept only because they are being sent.
        var heldBytes = 0
        var sendingBytes = 0
        var spooledBytes: Int64 = 0
    }

    /// Bytes that a client may still need.
    private struct Needed {
        weak var bytes: KeptBytes?
    }

    private struct State: Sendable {
        var held: LeastRecentlyUsed<Key, Made>
        var counts = Counts()
        /// The sizes of recent entries in bytes; the newest first.
        var sizes: [Int] = []
        var needed: [Key: Needed] = [:]
        /// The number of references above which unused ones are removed.
        var neededLimit = 64

        /// The bytes that a client needs already.
        func find(_ key: Key) -> KeptBytes? { needed[key]?.bytes.flatMap { $0.stay ? $0 : nil } }

        mutating func note(_ bytes: KeptBytes, for key: Key) {
            needed[key] = Needed(bytes: bytes)
            guard needed.count > neededLimit else { return }
            needed = needed.filter { $0.value.bytes != nil }
            neededLimit = max(64, 2 * needed.count)
        }

        /// Stores an entry.
        ///
        /// - Returns: The evicted bytes that a client still needs.
        mutating func keep(_ made: Made, _ bytes: KeptBytes, for key: Key, isAhead: Bool) -> [KeptBytes] {
            sizes = Array(([made.bytes.count] + sizes).prefix(SegmentStore.remembered))
            note(bytes, for: key)
            let future = isAhead ? SegmentStore.usesUntilAsked : 0
            return held.insert(made, for: key, cost: made.bytes.count, usedIn: future).compactMap { needed[$0]?.bytes }
        }
    }

    /// The number of remembered sizes.
    private static let remembered = 8
    /// The number of uses of the store within which a prefetched entry should be requested.
    private static let usesUntilAsked: UInt64 = 16

    private let state: Mutex<State>
    private let disk: DiskCache?
    private let spool: Spool?
    private let sendingRoom: SendingMemory
    /// The limit on bytes that are being made.
    let making = EncodingSlots()
    private let flights = SingleFlight<Key, KeptBytes>()

    /// - Parameters:
    ///   - limit: The maximum size of cached bytes.
    ///   - disk: The cache on disk.
    ///   - spool: The file for bytes that are being sent and exceed the limit.
    ///   - sendingLimit: The maximum size of such bytes in memory if the spool is full.
    init(limit: Int, disk: DiskCache? = nil, spool: Spool? = nil, sendingLimit: Int = .max) {
        state = Mutex(State(held: LeastRecentlyUsed(limit: limit)))
        sendingRoom = SendingMemory(limit: sendingLimit)
        (self.disk, self.spool) = (disk, spool)
    }

    var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.heldBytes = state.held.cost
            counts.sendingBytes = sendingRoom.count
            counts.spooledBytes = spool?.used ?? 0
            return counts
        }
    }

    /// The size of the largest recent entry in bytes; 0 if there is none.
    var maximumSize: Int { state.withLock { $0.sizes.max() ?? 0 } }

    /// The number of segments of the largest recent size that fit.
    var room: Int {
        state.withLock { $0.held.limit / max(1, $0.sizes.max() ?? 1) }
    }

    /// The bytes of a key in memory (see ``kept(for:cancellation:isAhead:isCostly:make:)``).
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
            // The bytes may have been evicted in between.
            if let bytes = kept.read(0..<kept.count) { return Made(bytes: bytes, tag: kept.tag) }
        }
    }

    /// Returns the bytes of a key: cached, being sent, being made, or made now.
    ///
    /// - Parameters:
    ///   - cancellation: Stops the work of this caller.
    ///   - isAhead: True for a prefetch, for which requested entries are evicted.
    ///   - isCostly: Returns true if the bytes are worth caching on disk; called after they are made.
    ///   - make: Makes the bytes, with a cancellation of its own.
    /// - Returns: The bytes, which other callers find as long as this reference exists.
    /// - Throws: The error of `make`, or ``OriginFailure`` if the caller is cancelled.
    func kept(
        for key: Key,
        cancellation: Cancellation,
        isAhead: Bool = false,
        isCostly: () -> Bool = { false },
        make: (Cancellation) throws -> [UInt8]
    ) throws -> KeptBytes {
        if let kept = find(key) { return kept }
        return try flights.value(for: key, cancellation: cancellation) { work in
            // Another flight may have finished between the lookup above and the start of this one.
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

    /// Evicts all but the most recently used quarter after many clients disconnect; may block.
    func shrink() {
        let homeless = state.withLock { state in
            state.held.shrink(to: state.held.limit / 4).compactMap { state.needed[$0]?.bytes }
        }
        leave(homeless)
    }

    /// Moves evicted bytes elsewhere; `new` has not been read by its maker yet.
    private func leave(_ homeless: [KeptBytes], new: KeptBytes? = nil) {
        for kept in homeless where !kept.leaveStore(to: spool, or: sendingRoom, isNew: kept === new) {
            making.noteShortage()
        }
    }

    private func keep(_ made: Made, for key: Key, isAhead: Bool, count: (inout Counts) -> Void) -> KeptBytes {
        let kept = KeptBytes(made.bytes, tag: made.tag)
        let (other, homeless) = state.withLock { state -> (KeptBytes?, [KeptBytes]) in
            count(&state.counts)
            // A cancelled request may have made the same bytes in the meantime.
            if let other = state.find(key) { return (other, []) }
            return (nil, state.keep(made, kept, for: key, isAhead: isAhead))
        }
        leave(homeless, new: kept)
        return other ?? kept
    }

    /// Returns true if an entry is in memory.
    func holds(_ key: Key) -> Bool { state.withLock { $0.held.holds(key) } }

    func waitForDisk() { disk?.waitForWrites() }

    /// Blocks until a number of callers wait (see ``SingleFlight/waitForCallers(_:of:)``).
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
