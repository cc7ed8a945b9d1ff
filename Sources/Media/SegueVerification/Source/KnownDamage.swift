package import SegueConcurrency
import SegueFFmpeg
internal import Synchronization

/// The damage found by previous complete decodes of a file's streams, to avoid another one.
package final class KnownDamage: Sendable {
    private let state = Mutex(SourceDamage())

    package init() {}

    /// Stores the damage of a completely decoded stream.
    func keep(_ damage: StreamDamage, of stream: Int) { state.withLock { $0.add(damage, of: stream) } }

    /// The damage of some streams of a file, decoding those that are not known yet.
    package func damage(of path: String, streams: Set<Int>, _ cancellation: Cancellation) throws -> SourceDamage {
        let known = state.withLock { $0 }
        let unknown = streams.subtracting(known.tracks.keys)
        // Errors of the container are also captured.
        if !unknown.isEmpty || known.tracks.isEmpty {
            let damage = try SourceDamage(of: path, streams: unknown, cancellation)
            state.withLock { $0.add(damage) }
        }
        return state.withLock { $0.only(streams) }
    }
}
