internal import SegueFFmpeg

/// The decoder output of a segment's audio.
struct AudioOutput {
    let stream: StreamInfo
    private let name: String
    private var decoder: Decoder?
    private var packets = 0
    private var frames = 0
    private var complaint: String?

    init(_ stream: StreamInfo, _ name: String) { (self.stream, self.name) = (stream, name) }

    /// Decodes a packet, or drains if nil, and passes frames to `body`.
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

    /// The reason for the lack of output; nil if there was output or no input.
    var failure: String? { packets > 0 && frames == 0 ? complaint ?? "the decoder reports no error" : nil }
}

/// The decoder output of a segment's first frames.
struct VideoOutput {
    let stream: StreamInfo
    private(set) var packets = 0
    private(set) var frames = 0
    private let name: String
    private var decoder: Decoder?
    private var complaint: String?

    init(_ stream: StreamInfo, _ name: String) { (self.stream, self.name) = (stream, name) }

    mutating func take(_ packet: Packet) {
        packets += 1
        decode(packet)
    }

    /// Drains the decoder if it has given no frame.
    mutating func finish() { if packets > 0, frames == 0 { decode(nil) } }

    private mutating func decode(_ packet: Packet?) {
        var came = 0
        do {
            if decoder == nil { decoder = try Decoder(stream: stream, file: name) }
            try decoder?.decode(packet) { _ in came += 1 }
        } catch {
            complaint = complaint ?? (error as? MediaError)?.message
        }
        frames += came
    }

    /// The reason for the lack of output; nil if there was output or no input.
    var failure: String? { packets > 0 && frames == 0 ? complaint ?? "the decoder reports no error" : nil }
}
