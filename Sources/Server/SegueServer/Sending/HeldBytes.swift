import Synchronization

/// The bytes that bodies hold in memory while they are sent, as they are nowhere else.
///
/// Those that several clients are sent are counted once. No client has more than half of the room.
final class HeldBytes: Sendable {
    /// A body's share in bytes, until it goes.
    final class Hold: Sendable {
        let bytes: [UInt8]
        private let place: UInt
        private let table: HeldBytes

        fileprivate init(_ bytes: [UInt8], _ place: UInt, _ table: HeldBytes) {
            (self.bytes, self.place, self.table) = (bytes, place, table)
        }

        deinit { table.leave(place) }
    }

    private struct Entry {
        // Held here too, so that no other bytes come to lie where these are.
        var bytes: [UInt8]
        var bodies: Int
        /// The first client that was to be sent them.
        var client: String
    }

    private struct State {
        var entries: [UInt: Entry] = [:]
        var count = 0
        var countBy: [String: Int] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// A table for so many bytes.
    ///
    /// - Parameter limit: How many.
    init(limit: Int = 64 << 20) { self.limit = limit }

    /// How many bytes are held.
    var count: Int { state.withLock { $0.count } }

    /// Holds bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes; arrays that are copies of each other are the same bytes.
    ///   - client: Who is to be sent them.
    /// - Returns: The share; nil where there is no room.
    func hold(_ bytes: [UInt8], for client: String = "") -> Hold? {
        let place = bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        let isHeld = state.withLock { state in
            if state.entries[place] != nil {
                state.entries[place]?.bodies += 1
                return true
            }
            guard state.count + bytes.count <= limit else { return false }
            let own = state.countBy[client] ?? 0
            guard own == 0 || own + bytes.count <= limit / 2 else { return false }
            state.entries[place] = Entry(bytes: bytes, bodies: 1, client: client)
            state.count += bytes.count
            state.countBy[client] = own + bytes.count
            return true
        }
        return isHeld ? Hold(bytes, place, self) : nil
    }

    private func leave(_ place: UInt) {
        // What is let go of is freed outside the lock.
        let gone: Entry? = state.withLock { state in
            state.entries[place]?.bodies -= 1
            guard let entry = state.entries[place], entry.bodies == 0 else { return nil }
            state.count -= entry.bytes.count
            let left = (state.countBy[entry.client] ?? 0) - entry.bytes.count
            state.countBy[entry.client] = left > 0 ? left : nil
            return state.entries.removeValue(forKey: place)
        }
        _ = gone
    }
}
