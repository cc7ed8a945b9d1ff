internal import SegueFFmpeg

/// What comes of one segment's audio.
struct AudioOutput {
    let stream: StreamInfo
    private let name: String
    private var decoder: Decoder?
    private var packets = 0
    private var frames = 0
    private var complaint: String?

    init(_ stream: StreamInfo, _ name: String) { (self.stream, self.name) = (stream, name) }

    /// Decodes a packet, or what is held back, and lends what comes out.
    mutating func take(_ packet: Packet?, _ body: (Frame) -> Void) {
        if packet != nil { packets += 1 }
        do {
            if decoder == nil { decoder = try Decoder(stream: stream, file: name) }
            var came = 0
            try decoder?.decode(packet) { frame in
                came += 1
                body(frame)
            }
            frames += came
        } catch {
            complaint = complaint ?? (error as? MediaError)?.message
        }
    }

    /// Why nothing came; nil where something did, or there was nothing.
    var failure: String? { packets > 0 && frames == 0 ? complaint ?? "the decoder says nothing" : nil }
}

/// What comes of the frames with which one segment begins.
struct VideoOutput {
    let stream: StreamInfo
    private(set) var packets = 0
    private(set) var pictures = 0
    private let name: String
    private var decoder: Decoder?
    private var complaint: String?

    init(_ stream: StreamInfo, _ name: String) { (self.stream, self.name) = (stream, name) }

    mutating func take(_ packet: Packet) {
        packets += 1
        decode(packet)
    }

    /// Gets what is held back, where nothing came yet.
    mutating func finish() { if packets > 0, pictures == 0 { decode(nil) } }

    private mutating func decode(_ packet: Packet?) {
        var came = 0
        do {
            if decoder == nil { decoder = try Decoder(stream: stream, file: name) }
            try decoder?.decode(packet) { _ in came += 1 }
        } catch {
            complaint = complaint ?? (error as? MediaError)?.message
        }
        pictures += came
    }

    /// Why nothing came; nil where something did, or there was nothing.
    var failure: String? { packets > 0 && pictures == 0 ? complaint ?? "the decoder says nothing" : nil }
}
