import Synchronization

/// Bytes that were made, for all who are sent them at the time: in memory, or in a spool.
package final class KeptBytes: Sendable {
    private enum Place {
        /// A store has room for them, or a share of the room for what is sent is theirs.
        case memory([UInt8], RoomForSending.Share?)
        /// There is no room for them: whoever has made them takes what it needs now.
        case noRoom([UInt8])
        case spooled(Spool.Part)
        case gone
    }

    /// How many there are.
    package let count: Int
    /// Their entity tag.
    let tag: String
    private let place: Mutex<Place>

    /// Bytes that stay in memory.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - tag: Their entity tag; nil to have it made.
    package init(_ bytes: [UInt8], tag: String? = nil) {
        count = bytes.count
        self.tag = tag ?? ContentTag.of(bytes)
        place = Mutex(.memory(bytes, nil))
    }

    /// The bytes, where they are in memory; they are not to be held for longer than it takes to copy some.
    package var inMemory: [UInt8]? {
        place.withLock { place in
            switch place {
            case .memory(let bytes, _), .noRoom(let bytes): bytes
            case .spooled, .gone: nil
            }
        }
    }

    /// Whether they can be read later, too.
    package var stay: Bool {
        place.withLock { place in
            switch place {
            case .memory, .spooled: true
            case .noRoom, .gone: false
            }
        }
    }

    /// Some of the bytes; may block.
    ///
    /// Nil where they have been let go of.
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

    /// Finds another place for them, as the store has no room any more; blocks.
    ///
    /// - Parameters:
    ///   - spool: Where they go.
    ///   - room: Memory where they stay if they cannot.
    ///   - isNew: Whether whoever has made them has not had them yet.
    /// - Returns: Whether there was room where there should be: in the spool, or, without one, in memory.
    @discardableResult func leaveStore(to spool: Spool?, or room: RoomForSending, isNew: Bool) -> Bool {
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
        // What is let go of is freed outside the lock.
        let old = place.withLock { place in
            defer { place = new }
            return place
        }
        _ = old
    }
}

/// Memory for bytes that are being sent, for which there is room nowhere else.
final class RoomForSending: Sendable {
    /// So many bytes of the room, until it goes.
    final class Share: Sendable {
        private let count: Int
        private let room: RoomForSending

        fileprivate init(_ count: Int, _ room: RoomForSending) { (self.count, self.room) = (count, room) }

        deinit { room.used.withLock { $0 -= count } }
    }

    private let limit: Int
    private let used = Mutex(0)

    /// Room for so many bytes.
    init(limit: Int) { self.limit = limit }

    /// How many bytes are in it.
    var count: Int { used.withLock { $0 } }

    /// A share of it; nil where there is no room.
    func share(_ count: Int) -> Share? {
        let isThere = used.withLock { used in
            guard count <= limit - used else { return false }
            used += count
            return true
        }
        return isThere ? Share(count, self) : nil
    }
}
