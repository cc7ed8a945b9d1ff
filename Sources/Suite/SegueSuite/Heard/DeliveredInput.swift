internal import SegueFFmpeg

/// Delivered media as a source of packets.
final class DeliveredInput {
    private let input: MediaInput

    /// True if timestamps are valid across segments: audio without a container restarts them in each segment.
    let hasClock: Bool

    /// The file, if the positions of its packets follow only from those before them.
    private let chain: DeliveredFile?

    /// The start of the packets, and the offset of the first hole, beyond which packets have no position.
    private var bounds: (start: Int64, end: Int64?)?

    var streams: [StreamInfo] { input.streams }

    /// A segment after its initialization section, in the format that its bytes have; nil if libav cannot read it.
    init?(segment bytes: [UInt8]) {
        let format = DeliveredInput.format(of: bytes)
        guard let input = try? MediaInput(bytes: bytes, name: "a delivered segment", format: format) else { return nil }
        self.input = input
        hasClock = format != nil
        chain = nil
    }

    /// A plain file, or the audio of a stream; nil if libav cannot read it.
    init?(_ file: DeliveredFile) {
        guard let input = try? MediaInput(path: file.path) else { return nil }
        self.input = input
        hasClock = input.formatName.hasPrefix("mov")
        // Packets with timestamps or a fixed size can be read across holes.
        let isPlaced = hasClock || ["wav", "aiff"].contains(input.formatName)
        chain = isPlaced ? nil : file
    }

    /// Reads the next packet; returns false at the end.
    func read(into packet: Packet) -> Bool {
        guard (try? input.read(into: packet)) == true else { return false }
        let place = packet.position
        // Cover art precedes the audio and may be missing.
        guard let chain, place >= 0, !input.streams[packet.streamIndex].isAttachedPicture else { return true }
        let bounds = self.bounds ?? (place, chain.hole(behind: place))
        self.bounds = bounds
        return bounds.end.map { place < $0 } ?? true
    }

    /// Skips other streams, if the container allows it.
    func keepOnly(_ stream: StreamInfo) { input.keepOnly(streams: [stream.index]) }

    /// libav's name of the format; nil lets libav detect it.
    private static func format(of bytes: [UInt8]) -> String? {
        if bytes.first == 0x47, bytes.count <= 188 || bytes[188] == 0x47 { return "mpegts" }
        guard bytes.count > 8 else { return nil }
        let box = String(decoding: bytes[4..<8], as: UTF8.self)
        return ["ftyp", "styp", "moov", "moof", "sidx"].contains(box) ? "mov" : nil
    }
}
