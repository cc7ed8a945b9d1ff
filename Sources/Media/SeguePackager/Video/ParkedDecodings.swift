internal import Synchronization

/// Decoders of one file that stand where the next segment's frames come, for any caller that wants them.
///
/// Only where it takes long to get there: a decoder holds some frames, which is memory.
final class ParkedDecodings: Sendable {
    private let idle = Mutex<[VideoDecoding]>([])

    /// The number of are kept.
    private static let capacity = 3
    /// The number of packets there have to be between the keyframe and where a decoder stands for it to be worth
    /// keeping: some seconds of film.
    static let leastDistance = 250

    /// Takes the one that stands nearest before a frame, if there is one.
    ///
    /// - Parameters:
    ///   - stream: The number of the stream.
    ///   - start: The packet with which decoding has to have begun.
    ///   - time: When the first frame that is wanted is shown, in the stream's own time.
    /// - Returns: The decoder, for the caller alone.
    func take(stream: Int, from start: Int, notAfter time: Int64) -> VideoDecoding? {
        idle.withLock { idle in
            let fitting = idle.indices.filter {
                idle[$0].stream == stream && idle[$0].start == start && idle[$0].firstTime <= time
            }
            return fitting.max { idle[$0].firstTime < idle[$1].firstTime }.map { idle.remove(at: $0) }
        }
    }

    /// Keeps one; the one that has been kept longest makes way.
    func park(_ decoding: VideoDecoding) {
        idle.withLock { idle in
            idle.append(decoding)
            if idle.count > Self.capacity { idle.removeFirst() }
        }
    }
}
