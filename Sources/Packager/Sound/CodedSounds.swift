internal import Synchronization

/// Coded frames of transcoded sound that were made last, for the other renditions that have the same sound.
final class CodedSounds: Sendable {
    private struct Key: Hashable {
        var stream: Int
        var frames: Range<Int>
    }

    private struct State {
        var kept: [Key: [[UInt8]]] = [:]
        /// In the order in which they were made.
        var order: ArraySlice<Key> = []
        var bytes = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: How many bytes are kept at most; 0 for none.
    init(limit: Int) { self.limit = limit }

    /// Frames of a stream: kept, or made now.
    ///
    /// - Throws: What `make` throws.
    func frames(_ frames: Range<Int>, of stream: Int, make: () throws -> [[UInt8]]) rethrows -> [[UInt8]] {
        guard limit > 0 else { return try make() }
        let key = Key(stream: stream, frames: frames)
        if let kept = state.withLock({ $0.kept[key] }) { return kept }
        let made = try make()
        let bytes = made.reduce(0) { $0 + $1.count }
        state.withLock { state in
            guard bytes <= limit, state.kept.updateValue(made, forKey: key) == nil else { return }
            state.order.append(key)
            state.bytes += bytes
            while state.bytes > limit, let oldest = state.order.popFirst() {
                state.bytes -= state.kept.removeValue(forKey: oldest)?.reduce(0) { $0 + $1.count } ?? 0
            }
        }
        return made
    }
}
