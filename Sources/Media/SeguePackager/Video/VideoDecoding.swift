internal import SegueConcurrency
internal import SegueFFmpeg

/// A resumable decoder of a stream from some packet on.
///
/// With few keyframes, most of a segment's work is reaching its frames. Resuming for the next segment gives the same
/// frames as decoding from the keyframe again, because a decoder's state depends only on the packets since then.
final class VideoDecoding: @unchecked Sendable {
    // Sendable: no state is bound to a thread, and it is never used from two threads at once.

    /// The stream's index.
    let stream: Int
    /// The packet at which decoding began.
    let start: Int
    /// The presentation time of the first frame still available, in stream units.
    private(set) var firstTime = Int64.min

    /// True if decoding resumes.
    private(set) var hasBegun = false

    private let index: StreamIndex
    private let decoder: Decoder
    private let reader: PacketReader
    /// The number of decoded packets.
    private var decoded = 0
    private var isOver = false
    /// Frames decoded ahead.
    private var early: [Frame] = []

    /// The maximum number of packets decoded beyond the wanted ones for late frames.
    private static let patience = 64

    init(of index: StreamIndex, from start: Int, source: PacketSource) throws {
        stream = index.info.index
        self.index = index
        self.start = start
        decoder = try Decoder(stream: index.info, file: source.file)
        reader = source.reader()
        decoded = start
        try reader.begin([stream: start..<index.packets.count])
    }

    /// Passes frames in display order to `body`, up to the last wanted one and possibly more.
    ///
    /// `wanted` are packet numbers; `kept` is the packet of the first frame needed again later. The frames stay the
    /// decoder's.
    func frames(
        of wanted: Set<Int>,
        keepingFrom kept: Int,
        cancellation: Cancellation,
        _ body: (Frame) throws -> Void
    ) throws {
        reader.use(cancellation)
        let keptTime = index.packets[kept].pts
        var missing = wanted
        let decodedBefore = early
        early = []
        func take(_ frame: Frame) throws {
            let number = Int(frame.opaque)
            missing.remove(number)
            if index.packets.indices.contains(number), index.packets[number].pts >= keptTime {
                early.append(try frame.shared())
            }
            try body(frame)
        }
        for frame in decodedBefore { try take(frame) }
        let end = (wanted.max() ?? 0) + Self.patience
        while !missing.isEmpty, !isOver, decoded <= end {
            try cancellation.check("decode", file: reader.file)
            guard let (_, number, packet) = try reader.next() else {
                isOver = true
                try decode(nil, number: 0, take: take)
                break
            }
            index.prepare(packet, number: number, isFirst: number == start && number > 0)
            decoded = number + 1
            try decode(packet, number: number, take: take)
        }
        reader.use(Cancellation())
        firstTime = keptTime
        hasBegun = true
    }

    /// Decodes a packet; undecodable ones are skipped.
    private func decode(_ packet: Packet?, number: Int, take: (Frame) throws -> Void) throws {
        var failure: (any Error)?
        do {
            try decoder.decode(packet, opaque: Int64(number)) { frame in
                do { try take(frame) } catch {
                    failure = error
                    throw error
                }
            }
        } catch let error as MediaError where failure == nil {
            if error.isCancelled { throw error }
        }
    }
}
