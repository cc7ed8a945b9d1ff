import Synchronization

/// The bytes of bodies in memory that exist nowhere else while they are sent.
///
/// Bytes shared by several clients count once. No client may use more than half of the limit.
final class HeldBytes: Sendable {
    /// Counted bytes, released with the last reference.
    final class Hold: Sendable {
        let bytes: [UInt8]
        private let place: UInt
        private let table: HeldBytes

        fileprivate init(_ bytes: [UInt8], at place: UInt, in table: HeldBytes) {
            (self.bytes, self.place, self.table) = (bytes, place, table)
        }

        deinit { table.leave(place) }
    }

    private struct Entry {
        // Kept here, so that the address is not reused for other bytes.
        var bytes: [UInt8]
        var bodies: Int
        /// The first client of the bytes.
        var client: String
    }

    private struct State {
        var entries: [UInt: Entry] = [:]
        var count = 0
        var countBy: [String: Int] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int = 64 << 20) { self.limit = limit }

    /// The number of counted bytes.
    var count: Int { state.withLock { $0.count } }

    /// Counts bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes; copies of the same array count once.
    /// - Returns: The hold, or nil if the limit is reached.
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
        return isHeld ? Hold(bytes, at: place, in: self) : nil
    }

    private func leave(_ place: UInt) {
        // Released bytes are freed outside the lock.
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
