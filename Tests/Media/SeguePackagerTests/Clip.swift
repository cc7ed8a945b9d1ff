import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

/// A recipe for a tiny file: brightening frames, and a tone or noise.
struct Clip {
    var seconds = 13
    var container = "mp4"
    var videoCodec: String? = "libx264"
    var keyframeInterval = 50
    var bFrames = 2
    var audioCodec: String? = "aac"
    var sampleRate = 44100
    var channels = 2
    var isNoise = false
    /// The seconds of noise in the audio.
    var noisySeconds = 0..<0
    var audioSeconds: Int?
    /// The seconds of audio whose packets the file lacks.
    var missingAudio = 0..<0
    /// The seconds of video whose packets the file lacks.
    var missingVideo = 0..<0
    var rotation: Double?
    var width = 64
    var height = 48
    /// The cyclic frame durations, in 25ths of a second.
    var durations = [1]
    /// Additional audio tracks with different tunes.
    var otherAudio: [AlternateAudio] = []

    var subtitles: [Subtitles] = []

    /// The luma of all frames; nil for frames that brighten.
    var luma: UInt8?
    /// libav's options for the muxer.
    var muxerOptions: [String: String] = [:]

    struct Subtitles {
        /// The content of a subtitle file with text.
        var text = ""
        /// The content of any other subtitle file.
        var bytes: [UInt8]?
        /// The file extension.
        var format: String
        var language: String?
    }

    /// An additional audio track.
    struct AlternateAudio {
        var codec = "aac"
        var channels = 2
        var language: String?
        var title: String?
        /// The duration in seconds; nil for the clip's.
        var seconds: Int?
    }

    /// A reproducible audio sample from -1 to 1.
    func sample(_ number: Int) -> Float {
        if isNoise || noisySeconds.contains(number / sampleRate) {
            var state = UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15
            state ^= state >> 29
            state = state &* 0xbf58_476d_1ce4_e5b9
            state ^= state >> 32
            return Float(Int64(bitPattern: state) >> 40) / Float(1 << 23) * 0.3
        }
        // The period is not a whole number of samples; the tone is a parabola, because a sine would depend on the C
        // library.
        let phase = Float(number * 441 % sampleRate) / Float(sampleRate)
        let half = phase < 0.5
        let x = (half ? phase : phase - 0.5) * 4 - 1
        return (1 - x * x) * (half ? 0.4 : -0.4)
    }

    /// Makes the file and returns its path.
    func write(in folder: TestFolder, name: String = "clip") throws -> String {
        let path = folder.file("\(name).\(container)")
        let muxer = try Muxer(format: container, path: path, options: muxerOptions)
        let videoEncoder = try videoCodec.map { codec in
            try VideoEncoder(
                named: codec,
                format: VideoEncoder.Format(
                    width: width,
                    height: height,
                    pixelFormat: "yuv420p",
                    timeBase: Rational(1, 25),
                    frameRate: Rational(25)
                ) {
                    $0.keyframeInterval = keyframeInterval
                    $0.bFrames = bFrames
                },
                options: codec == "libx264" ? ["preset": "veryfast", "x264-params": "scenecut=0"] : [:]
            )
        }
        let audio = try audioCodec.map { try audioEncoder($0, channels: channels) }
        var attributes = StreamAttributes()
        attributes.rotation = rotation
        let video = try videoEncoder.map { try muxer.addStream($0, attributes: attributes) } ?? 0
        let audioStream = try audio.map { try muxer.addStream($0) } ?? 0
        let others = try otherAudio.map { other in
            let encoder = try audioEncoder(other.codec, channels: other.channels)
            var attributes = StreamAttributes()
            attributes.metadata["language"] = other.language
            attributes.metadata["title"] = other.title
            return (encoder: encoder, stream: try muxer.addStream(encoder, attributes: attributes), other: other)
        }
        var packets: [(time: Rational, stream: Int, packet: Packet)] = []
        for (place, entry) in subtitles.enumerated() {
            let input = try MediaInput(
                path: folder.write(entry.bytes ?? Array(entry.text.utf8), to: "\(name)-\(place).\(entry.format)")
            )
            let source = try #require(input.streams.first)
            var attributes = StreamAttributes()
            attributes.metadata["language"] = entry.language
            let stream = try muxer.addStream(source.parameters, timeBase: source.timeBase, attributes: attributes)
            let packet = Packet()
            while try input.read(into: packet) {
                packets.append((Rational(packet.pts ?? 0) * source.timeBase, stream, packet.copy()))
            }
        }
        if let videoEncoder {
            try encode(videoEncoder) { time, packet in
                guard !missingVideo.contains(Int(Rational(packet.pts ?? 0, 25).floored())) else { return }
                packets.append((time, video, packet))
            }
        }
        if let audio {
            try encode(audio) { time, packet in
                guard !missingAudio.contains(Int(time.floored())) else { return }
                packets.append((time, audioStream, packet))
            }
        }
        for (place, entry) in others.enumerated() {
            try encode(entry.encoder, seconds: entry.other.seconds, from: 7919 * (place + 1)) {
                packets.append(($0, entry.stream, $1))
            }
        }
        // In stable decode order, as a muxer requires.
        for (_, entry) in packets.enumerated().sorted(by: {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }) {
            try muxer.write(entry.packet, stream: entry.stream)
        }
        try muxer.finish()
        return path
    }

    private func encode(_ encoder: VideoEncoder, _ keep: (Rational, Packet) -> Void) throws {
        let take = { (packet: Packet) in
            if packet.duration == 0 { packet.duration = 1 }
            keep(Rational(packet.dts ?? 0, 25), packet.copy())
        }
        var time: Int64 = 0
        for number in 0..<seconds * 25 {
            guard time < seconds * 25 else { break }
            let frame = try Frame(pixelFormat: "yuv420p", width: width, height: height)
            for plane in 0..<3 {
                let lines = plane == 0 ? height : (height + 1) / 2
                frame.plane(plane)?.update(
                    repeating: plane == 0
                        ? luma ?? UInt8(truncatingIfNeeded: number * 7) : UInt8(truncatingIfNeeded: 100 + number / 9),
                    count: frame.lineSize(plane: plane) * lines
                )
            }
            frame.pts = time
            time += Int64(durations[number % durations.count])
            try encoder.encode(frame, take)
        }
        try encoder.encode(nil, take)
    }

    private func audioEncoder(_ codec: String, channels: Int) throws -> AudioEncoder {
        try AudioEncoder(
            named: codec,
            sampleRate: sampleRate,
            layout: ChannelLayout(channels: channels),
            quality: codec.hasPrefix("pcm") || codec == "flac" ? .encoderDefault : .bitRate(96000)
        )
    }

    private func encode(
        _ encoder: AudioEncoder,
        seconds length: Int? = nil,
        from first: Int = 0,
        _ keep: (Rational, Packet) -> Void
    ) throws {
        let size = encoder.frameSize > 0 ? encoder.frameSize : 1024
        let total = (length ?? audioSeconds ?? seconds) * sampleRate
        let converter = try Resampler(
            from: .init(rate: sampleRate, layout: encoder.layout, sampleFormat: "fltp"),
            to: .init(rate: sampleRate, layout: encoder.layout, sampleFormat: encoder.sampleFormat)
        )
        let take = { (packet: Packet) in
            keep(Rational(packet.dts ?? packet.pts ?? 0, Int64(sampleRate)), packet.copy())
        }
        for start in stride(from: 0, to: total, by: size) {
            let count = min(size, total - start)
            let frame = try Frame(sampleFormat: "fltp", sampleRate: sampleRate, layout: encoder.layout, samples: count)
            for channel in 0..<encoder.layout.channels {
                frame.plane(channel)?.withMemoryRebound(to: Float.self, capacity: count) { values in
                    for place in 0..<count { values[place] = sample(first + start + place) }
                }
            }
            guard let converted = try converter.convert(frame) else { continue }
            converted.pts = Int64(start)
            try encoder.encode(converted, take)
        }
        try encoder.encode(nil, take)
    }
}

/// The decoded content of some bytes.
struct Decoded {
    /// The samples of the first channel.
    var samples: [Float] = []
    var channels = 0
    /// Checksums of frames.
    var frames: [UInt32] = []
    /// The presentation times, in seconds.
    var times: [Rational] = []

    /// Decodes a stream of a kind: the first, or the one with a number.
    init(_ input: MediaInput, _ kind: StreamKind, number: Int = 0) throws {
        guard let stream = input.streams.filter({ $0.kind == kind }).dropFirst(number).first else { return }
        let decoder = try Decoder(stream: stream, file: input.name)
        var converter: Resampler?
        let packet = Packet()
        let take = { (frame: Frame, decoded: inout Decoded) in
            if kind == .video {
                decoded.frames.append(frame.pictureChecksum)
                decoded.times.append(Rational(frame.bestEffortTimestamp ?? 0) * stream.timeBase)
                return
            }
            let known =
                try converter
                ?? Resampler(
                    from: .init(rate: frame.sampleRate, layout: frame.layout, sampleFormat: frame.sampleFormat ?? ""),
                    to: .init(rate: frame.sampleRate, layout: frame.layout, sampleFormat: "fltp")
                )
            converter = known
            decoded.channels = frame.channels
            guard let plain = try known.convert(frame), let plane = plain.plane(0) else { return }
            plane.withMemoryRebound(to: Float.self, capacity: plain.sampleCount) {
                decoded.samples.append(contentsOf: UnsafeBufferPointer(start: $0, count: plain.sampleCount))
            }
        }
        while try input.read(into: packet) {
            guard packet.streamIndex == stream.index else { continue }
            try decoder.decode(packet) { try take($0, &self) }
        }
        try decoder.decode(nil) { try take($0, &self) }
    }
}
