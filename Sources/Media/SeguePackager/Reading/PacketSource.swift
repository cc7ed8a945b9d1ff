internal import SegueConcurrency
internal import SegueFFmpeg

/// The inputs for a thread's own packet reader.
struct PacketSource: Sendable {
    let file: String
    /// The packet index.
    let index: FileIndex
    /// Previously opened inputs.
    let pool: InputPool
    let cancellation: Cancellation

    /// Creates a reader for one thread.
    func reader() -> PacketReader {
        PacketReader(file: file, index: index, pool: pool, cancellation: cancellation)
    }
}
