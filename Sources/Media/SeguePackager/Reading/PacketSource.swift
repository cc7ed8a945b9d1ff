internal import SegueConcurrency
internal import SegueFFmpeg

/// Where a file's packets come from: whatever a thread needs for a reader of its own.
struct PacketSource: Sendable {
    /// The file's path.
    let file: String
    /// What is in it.
    let index: FileIndex
    /// Inputs that were opened before.
    let pool: InputPool
    /// Stops the reading.
    let cancellation: Cancellation

    /// A reader for one thread.
    func reader() -> PacketReader {
        PacketReader(file: file, index: index, pool: pool, cancellation: cancellation)
    }
}
