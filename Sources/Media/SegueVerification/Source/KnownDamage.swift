package import SegueConcurrency
import SegueFFmpeg
internal import Synchronization

/// What those who decoded a file's streams to the end for another reason found out about its damage, so that nobody
/// decodes them once more for that.
package final class KnownDamage: Sendable {
    private let state = Mutex(SourceDamage())

    /// Nothing is known yet.
    package init() {}

    /// Keeps what came of a stream that was read and decoded to its end.
    func keep(_ damage: StreamDamage, of stream: Int) { state.withLock { $0.add(damage, of: stream) } }

    /// The damage of some streams of a file; those that nobody has decoded are decoded now.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - streams: The numbers of the streams.
    ///   - cancellation: Stops the work.
    /// - Returns: What libav refuses of them.
    /// - Throws: ``MediaError`` when the file cannot be opened or the work is cancelled.
    package func damage(of path: String, streams: Set<Int>, _ cancellation: Cancellation) throws -> SourceDamage {
        let known = state.withLock { $0 }
        let unknown = streams.subtracting(known.tracks.keys)
        // What a container of nothing else is read with is heard, too.
        if !unknown.isEmpty || known.tracks.isEmpty {
            let damage = try SourceDamage(of: path, streams: unknown, cancellation)
            state.withLock { $0.add(damage) }
        }
        return state.withLock { $0.only(streams) }
    }
}
