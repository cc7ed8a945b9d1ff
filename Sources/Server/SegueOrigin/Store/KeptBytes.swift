import Synchronization

/// Bytes shared by all clients that receive them: in memory or in a spool.
package final class KeptBytes: Sendable {
    private enum Place {
        /// Counted by the store, or by a share of the memory for bodies that are being sent.
        case memory([UInt8], SendingMemory.Share?)
        /// No memory is left; the maker takes the bytes that it needs now.
        case noRoom([UInt8])
        case spooled(Spool.Part)
        case gone
    }

    package let count: Int
    let tag: String
    private let place: Mutex<Place>

    /// - Parameters:
    ///   - tag: Their entity tag; nil to compute it.
    package init(_ bytes: [UInt8], tag: String? = nil) {
        count = bytes.count
        self.tag = tag ?? ContentTag.of(bytes)
        place = Mutex(.memory(bytes, nil))
    }

    /// The bytes if they are in memory.
    ///
    /// Callers hold them only for as long as it takes to copy some.
    package var inMemory: [UInt8]? {
        place.withLock { place in
            switch place {
            case .memory(let bytes, _), .noRoom(let bytes): bytes
            case .spooled, .gone: nil
            }
        }
    }

    /// True if they can be read later.
    package var stay: Bool {
        place.withLock { place in
            switch place {
            case .memory, .spooled: true
            case .noRoom, .gone: false
            }
        }
    }

    /// Reads some of the bytes; may block.
    ///
    /// Nil if they were evicted.
    package func read(_ range: Range<Int>) -> [UInt8]? {
        if let bytes = inMemory { return range == bytes.indices ? bytes : Array(bytes[range]) }
        let part: Spool.Part? = place.withLock { place in
            if case .spooled(let part) = place { part } else { nil }
        }
        guard let part else { return nil }
        if let bytes = part.read(range) { return bytes }
        move(to: .gone)
        return nil
    }

    /// Moves the bytes out of the store, to the spool or to the memory for bodies; blocks.
    ///
    /// - Parameters:
    ///   - room: The memory used without a spool, or if the spool is full.
    ///   - isNew: True if the maker has not read them yet.
    /// - Returns: False if the preferred place had no room.
    @discardableResult func leaveStore(to spool: Spool?, or room: SendingMemory, isNew: Bool) -> Bool {
        guard let bytes = inMemory else { return true }
        if let part = spool?.write(bytes) {
            move(to: .spooled(part))
            return true
        }
        if let share = room.share(bytes.count) {
            move(to: .memory(bytes, share))
            return spool == nil
        }
        move(to: isNew ? .noRoom(bytes) : .gone)
        return false
    }

    private func move(to new: Place) {
        // The former bytes are freed outside the lock.
        let old = place.withLock { place in
            defer { place = new }
            return place
        }
        _ = old
    }
}

/// The memory for bodies that are being sent and fit nowhere else.
final class SendingMemory: Sendable {
    /// A number of reserved bytes, freed on release.
    final class Share: Sendable {
        private let count: Int
        private let room: SendingMemory

        fileprivate init(_ count: Int, _ room: SendingMemory) { (self.count, self.room) = (count, room) }

        deinit { room.used.withLock { $0 -= count } }
    }

    private let limit: Int
    private let used = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// The number of reserved bytes.
    var count: Int { used.withLock { $0 } }

    /// Reserves bytes, or returns nil if there is no room.
    func share(_ count: Int) -> Share? {
        let isThere = used.withLock { used in
            guard count <= limit - used else { return false }
            used += count
            return true
        }
        return isThere ? Share(count, self) : nil
    }
}
