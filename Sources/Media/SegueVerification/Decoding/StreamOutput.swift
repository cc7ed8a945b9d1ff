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

    /// True if there was output.
    var hasOutput: Bool { frames > 0 }

    /// The reason for the lack of output; nil if there was output or no input.
    var failure: String? { packets > 0 && frames == 0 ? complaint ?? "the decoder reports no error" : nil }
}

/// The decoder output of a segment's video.
struct VideoOutput {
    let stream: StreamInfo
    private(set) var packets = 0
    private(set) var frames = 0
    /// True if the decoder fails for another reason than invalid data.
    private(set) var isUnsupported = false
    private let name: String
    private var decoder: Decoder?
    private var complaint: String?

    init(_ stream: StreamInfo, _ name: String) { (self.stream, self.name) = (stream, name) }

    /// Decodes a packet, and passes frames to `body`.
    mutating func take(_ packet: Packet, _ body: (Frame) -> Void) {
        packets += 1
        decode(packet, body)
    }

    /// Drains the decoder.
    mutating func finish(_ body: (Frame) -> Void) { if packets > 0 { decode(nil, body) } }

    private mutating func decode(_ packet: Packet?, _ body: (Frame) -> Void) {
        var came = 0
        do {
            if decoder == nil { decoder = try Decoder(stream: stream, file: name) }
            try decoder?.decode(packet) { frame in
                came += 1
                body(frame)
            }
        } catch {
            if !((error as? MediaError)?.isInvalidData ?? false) { isUnsupported = true }
            complaint = complaint ?? (error as? MediaError)?.message
        }
        frames += came
    }

    /// The reason for the lack of output; nil if there was output or no input.
    var failure: String? { packets > 0 && frames == 0 ? complaint ?? "the decoder reports no error" : nil }
}
