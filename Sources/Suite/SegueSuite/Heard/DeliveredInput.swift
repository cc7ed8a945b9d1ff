internal import SegueFFmpeg

/// Something that was delivered, to read packets of.
final class DeliveredInput {
    private let input: MediaInput

    /// Whether timestamps tell places beyond it: those of sound without a container begin anew in each piece.
    let hasClock: Bool

    /// The file, where it has packets whose place is told by those before them alone.
    private let chain: DeliveredFile?

    /// Where packets begin, and behind which byte they have no place since some before them never came.
    private var bounds: (start: Int64, end: Int64?)?

    var streams: [StreamInfo] { input.streams }

    /// A segment with its initialization section before it, whose format is told by the bytes; nil where libav cannot read
    /// it.
    init?(segment bytes: [UInt8]) {
        let format = DeliveredInput.format(of: bytes)
        guard let input = try? MediaInput(bytes: bytes, name: "a delivered segment", format: format) else { return nil }
        self.input = input
        hasClock = format != nil
        chain = nil
    }

    /// A plain file, or the sound of a stream; nil where libav cannot read it.
    init?(_ file: DeliveredFile) {
        guard let input = try? MediaInput(path: file.path) else { return nil }
        self.input = input
        hasClock = input.formatName.hasPrefix("mov")
        // What tells the places of its packets, or has them all of one size, can be read over holes.
        let isPlaced = hasClock || ["wav", "aiff"].contains(input.formatName)
        chain = isPlaced ? nil : file
    }

    /// Reads the next packet; tells whether there was one.
    func read(into packet: Packet) -> Bool {
        guard (try? input.read(into: packet)) == true else { return false }
        let place = packet.position
        // A picture stands before the sound, and need not have come.
        guard let chain, place >= 0, !input.streams[packet.streamIndex].isAttachedPicture else { return true }
        let bounds = self.bounds ?? (place, chain.hole(behind: place))
        self.bounds = bounds
        return bounds.end.map { place < $0 } ?? true
    }

    /// Leaves out what is in other streams, as far as the container can.
    func keepOnly(_ stream: StreamInfo) { input.keepOnly(streams: [stream.index]) }

    /// libav's name for what the bytes are; nil leaves it to libav.
    private static func format(of bytes: [UInt8]) -> String? {
        if bytes.first == 0x47, bytes.count <= 188 || bytes[188] == 0x47 { return "mpegts" }
        guard bytes.count > 8 else { return nil }
        let box = String(decoding: bytes[4..<8], as: UTF8.self)
        return ["ftyp", "styp", "moov", "moof", "sidx"].contains(box) ? "mov" : nil
    }
}
