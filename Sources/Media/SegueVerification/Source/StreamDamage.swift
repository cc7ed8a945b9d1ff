internal import SegueBase
internal import SegueFFmpeg

/// Records the errors of a stream and its container while another component decodes the stream.
struct StreamDamage {
    /// The result so far.
    private(set) var track: SourceDamage.Track
    /// libav's first message about the container; nil if there is none.
    private(set) var readingWords: String?

    private let stream: StreamInfo
    private let coder: CodedFrame

    init(of stream: StreamInfo) {
        self.stream = stream
        coder = CodedFrame(stream)
        track = SourceDamage.Track(kind: stream.kind, codec: stream.codec)
    }

    mutating func open(_ make: () throws -> Decoder) throws -> Decoder {
        var decoder: Decoder?
        track.words = try ErrorLog.complaint { decoder = try make() }
        guard let decoder else {
            throw MediaError(call: "open", file: stream.codec, message: "could not create the decoder")
        }
        return decoder
    }

    /// Reads a packet of any stream.
    mutating func read(_ input: MediaInput, into packet: Packet) throws -> Bool {
        var isRead = false
        let complaint = try ErrorLog.complaint { isRead = try input.read(into: packet) }
        if isRead, complaint != nil, !CodedFrame.hasPicture(packet, of: input) { return true }
        readingWords = readingWords ?? complaint
        return isRead
    }

    /// Decodes a packet of the stream and passes frames to `body`.
    mutating func decode(_ packet: Packet, with decoder: Decoder, _ body: (Frame) throws -> Void) throws {
        guard packet.size > 0 else { return try decoder.decode(packet, body) }
        // libav reports an error for a packet without slices, which is not damage.
        guard coder.hasPicture(packet) else { return decodeQuietly(packet, with: decoder) }
        track.whole.add(packet, of: stream)
        if track.sampledFrom != nil {
            guard packet.isKey else { return }
            decoder.flush()
        }
        var (isMarred, isDecoded, failure) = (false, false, nil as (any Error)?)
        var listening = ErrorLog.Listening()
        do {
            try decoder.decode(packet) { frame in
                isDecoded = true
                isMarred = isMarred || frame.isDamaged
                guard failure == nil else { return }
                listening.pause()
                do { try body(frame) } catch { failure = error }
                listening.resume()
            }
            let complaint = listening.complaint
            if isMarred || complaint != nil {
                track.marred.add(packet, of: stream)
                track.words = track.words ?? complaint ?? "a frame is marked as corrupt"
            }
        } catch {
            track.lost.add(packet, of: stream)
            track.words = track.words ?? (error as? MediaError)?.message ?? "\(error)"
            failure = failure ?? error
        }
        track.isDecoded = track.isDecoded || isDecoded
        if let failure { throw failure }
    }

    /// Passes parameter sets and the like to the decoder.
    private func decodeQuietly(_ packet: Packet, with decoder: Decoder) {
        _ = try? ErrorLog.complaint { try decoder.decode(packet) { _ in } }
    }

    mutating func drain(_ decoder: Decoder, _ body: (Frame) throws -> Void) throws {
        var (isDecoded, failure) = (false, nil as (any Error)?)
        defer { track.isDecoded = track.isDecoded || isDecoded }
        var listening = ErrorLog.Listening()
        try decoder.decode(nil) { frame in
            isDecoded = true
            guard failure == nil else { return }
            listening.pause()
            do { try body(frame) } catch { failure = error }
            listening.resume()
        }
        track.words = track.words ?? listening.complaint
        if let failure { throw failure }
    }

    /// Continues with only keyframes from a packet on.
    mutating func sample(from packet: Packet) { track.sampledFrom = SourceDamage.time(of: packet, stream) }
}
