internal import SegueBase
internal import SegueFFmpeg

/// FLAC, Apple Lossless, and Opus, copied into fragmented MP4.
///
/// Streams with varying frame lengths, except for the last frame, are not copied: a frame's time is its number times
/// its length.
extension CopiedCoding {
    /// FLAC, from STREAMINFO (RFC 9639, section 8.2).
    static func flac(_ index: StreamIndex) -> Result<CopiedCoding, Obstacle> {
        let block = index.info.extradata
        guard block.count >= 18 else { return .failure(Obstacle("the FLAC stream has no STREAMINFO")) }
        let sizes = (least: Int(block[0]) << 8 | Int(block[1]), most: Int(block[2]) << 8 | Int(block[3]))
        let rate = Int(block[10]) << 12 | Int(block[11]) << 4 | Int(block[12]) >> 4
        guard rate > 0, sizes.least >= 16, sizes.least == sizes.most else {
            return .failure(Obstacle("the FLAC frames vary in length"))
        }
        let total = block[14..<18].reduce(Int(block[13] & 15)) { $0 << 8 | Int($1) }
        let last = total - (index.packets.count - 1) * sizes.most
        return .success(
            CopiedCoding(
                codec: .flac,
                clockRate: rate,
                frame: sizes.most,
                hasADTS: false,
                lastFrame: (1...sizes.most).contains(last) ? last : lastFrame(of: index, rate: rate, frame: sizes.most)
            )
        )
    }

    /// Apple Lossless, from its magic cookie, which libav keeps in a 36-byte box.
    static func alac(_ index: StreamIndex) -> Result<CopiedCoding, Obstacle> {
        let cookie = index.info.extradata
        guard cookie.count >= 36 else { return .failure(Obstacle("the Apple Lossless stream has no configuration")) }
        let frame = cookie[12..<16].reduce(0) { $0 << 8 | Int($1) }
        let rate = cookie[32..<36].reduce(0) { $0 << 8 | Int($1) }
        guard (1...1 << 16).contains(frame), (1...1_000_000).contains(rate) else {
            return .failure(Obstacle("the Apple Lossless configuration is invalid"))
        }
        guard isEven(index, rate: rate, frame: frame) else {
            return .failure(Obstacle("the Apple Lossless frames vary in length"))
        }
        return .success(
            CopiedCoding(
                codec: .alac,
                clockRate: rate,
                frame: frame,
                hasADTS: false,
                lastFrame: lastFrame(of: index, rate: rate, frame: frame)
            )
        )
    }

    /// Opus, from the first byte of the first packet (RFC 6716, section 3.1).
    static func opus(_ index: StreamIndex) -> Result<CopiedCoding, Obstacle> {
        guard index.info.extradata.starts(with: Array("OpusHead".utf8)), index.info.extradata.count >= 19,
            let frame = opusSamples(index.firstPacket)
        else { return .failure(Obstacle("the Opus configuration is invalid")) }
        guard isEven(index, rate: 48000, frame: frame) else {
            return .failure(Obstacle("the Opus packets vary in length"))
        }
        return .success(CopiedCoding(codec: .opus, clockRate: 48000, frame: frame, hasADTS: false))
    }

    /// The samples of an Opus packet, at 48 kHz.
    private static func opusSamples(_ packet: [UInt8]) -> Int? {
        guard let first = packet.first else { return nil }
        let configuration = Int(first >> 3)
        let samples =
            switch configuration {
            case ..<12: [480, 960, 1920, 2880][configuration & 3]
            case 12..<16: [480, 960][configuration & 1]
            default: [120, 240, 480, 960][configuration & 3]
            }
        switch first & 3 {
        case 0: return samples
        case 1, 2: return samples * 2
        default: return packet.count > 1 && packet[1] & 63 > 0 ? samples * Int(packet[1] & 63) : nil
        }
    }

    /// True if all packets but the last have the frame's duration, within the container's clock resolution.
    private static func isEven(_ index: StreamIndex, rate: Int, frame: Int) -> Bool {
        let grain = max(index.info.timeBase, Rational(1, Int64(rate)))
        let length = Rational(Int64(frame), Int64(rate))
        return index.packets.dropLast().allSatisfy { packet in
            packet.duration <= 0 || (Rational(packet.duration) * index.info.timeBase - length).magnitude <= grain
        }
    }

    /// The declared duration of the last frame; nil if it is complete.
    private static func lastFrame(of index: StreamIndex, rate: Int, frame: Int) -> Int? {
        guard let packet = index.packets.last, packet.duration > 0 else { return nil }
        let samples = Int((Rational(packet.duration) * index.info.timeBase).rounded(scale: Int64(rate)))
        return (1..<frame).contains(samples) ? samples : nil
    }
}
