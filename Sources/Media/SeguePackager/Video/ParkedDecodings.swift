internal import Synchronization

/// Parked decoders of one file, positioned at the next segment's frames.
///
/// A decoder holds frames in memory, so only those that took long to get there are parked.
final class ParkedDecodings: Sendable {
    private let idle = Mutex<[VideoDecoding]>([])

    /// The maximum number of decoders.
    private static let capacity = 3
    /// The minimum number of packets since the keyframe that makes a decoder worth parking: a few seconds of video.
    static let leastDistance = 250

    /// Takes the decoder positioned nearest before a time (in stream units) that started at the packet `start`; nil if
    /// there is none.
    func take(stream: Int, from start: Int, notAfter time: Int64) -> VideoDecoding? {
        idle.withLock { idle in
            let fitting = idle.indices.filter {
                idle[$0].stream == stream && idle[$0].start == start && idle[$0].firstTime <= time
            }
            return fitting.max { idle[$0].firstTime < idle[$1].firstTime }.map { idle.remove(at: $0) }
        }
    }

    /// Parks a decoder; a full lot drops the oldest one.
    func park(_ decoding: VideoDecoding) {
        idle.withLock { idle in
            idle.append(decoding)
            if idle.count > Self.capacity { idle.removeFirst() }
        }
    }
}
