internal import SegueConcurrency
internal import SegueFFmpeg

/// A stream's frames, as they are decoded from some packet on; it can be gone on with where it stopped.
///
/// In a film with few keyframes most of the work for a segment is to get to its frames. Whoever wants the segment after
/// one that was made just now goes on from there, and gets the same frames as by decoding from the keyframe again: a
/// decoder's state depends on nothing but the packets since then.
final class VideoDecoding: @unchecked Sendable {
    // Sendable: nothing in it is tied to a thread; it is handed on whole, and never used by two at once.

    /// The number of the stream.
    let stream: Int
    /// The packet with which decoding began.
    let start: Int
    /// When the first frame is shown that can still be had, in the stream's own time; before that none can.
    private(set) var firstTime = Int64.min

    /// True if it goes on from where it stopped.
    private(set) var hasBegun = false

    private let index: StreamIndex
    private let decoder: Decoder
    private let reader: PacketReader
    /// The packets that have been decoded.
    private var decoded = 0
    private var isOver = false
    /// Frames that were decoded already.
    private var early: [Frame] = []

    /// The number of packets after those that are wanted are decoded for frames that are late.
    private static let patience = 64

    /// Begins with a packet.
    init(of index: StreamIndex, from start: Int, source: PacketSource) throws {
        stream = index.info.index
        self.index = index
        self.start = start
        decoder = try Decoder(stream: index.info, file: source.file)
        reader = source.reader()
        decoded = start
        try reader.begin([stream: start..<index.packets.count])
    }

    /// Lends frames in the order of showing, up to the last one that is wanted, and maybe some more.
    ///
    /// - Parameters:
    ///   - wanted: The numbers of the packets whose frames are wanted.
    ///   - kept: The packet of the first frame that will be wanted again.
    ///   - cancellation: Cancels the work.
    ///   - body: Gets each frame; it stays the decoder's.
    /// - Throws: ``MediaError`` or ``PackagingError`` if the source cannot be read, or what `body` throws.
    func pictures(
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

    /// Decodes a packet; what libav cannot decode is left out.
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
