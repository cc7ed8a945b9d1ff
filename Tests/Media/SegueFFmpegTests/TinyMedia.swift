import SegueBase
import SegueFFmpeg

/// Small generated media.
enum TinyMedia {
    /// A triangle wave in every channel.
    static func tone(samples: Int, rate: Int, layout: ChannelLayout) throws -> Frame {
        let frame = try Frame(sampleFormat: "fltp", sampleRate: rate, layout: layout, samples: samples)
        let period = max(4, rate / 440)
        for channel in 0..<layout.channels {
            guard let plane = frame.plane(channel) else { continue }
            plane.withMemoryRebound(to: Float.self, capacity: samples) { values in
                for sample in 0..<samples {
                    let phase = Float(sample % period) / Float(period)
                    values[sample] = (phase < 0.5 ? phase * 4 - 1 : 3 - phase * 4) * 0.5
                }
            }
        }
        return frame
    }

    /// An in-memory file with a few seconds of audio.
    static func audio(
        codec: String,
        format: String,
        samples: Int,
        rate: Int = 44100,
        channels: Int = 2,
        quality: AudioEncoder.Quality = .bitRate(96000),
        tags: [String: String] = [:]
    ) throws -> [UInt8] {
        let encoder = try AudioEncoder(
            named: codec,
            sampleRate: rate,
            layout: ChannelLayout(channels: channels),
            quality: quality
        )
        let muxer = try Muxer(format: format)
        var attributes = StreamAttributes()
        attributes.metadata = tags
        let stream = try muxer.addStream(encoder, attributes: attributes)
        let source = try tone(samples: samples, rate: rate, layout: encoder.layout)
        let resampler = try Resampler(
            from: .init(rate: rate, layout: encoder.layout, sampleFormat: "fltp"),
            to: .init(rate: rate, layout: encoder.layout, sampleFormat: encoder.sampleFormat)
        )
        let whole = try resampler.convert(source) ?? source
        let size = encoder.frameSize > 0 ? encoder.frameSize : 1024
        for start in stride(from: 0, to: samples, by: size) {
            let count = min(size, samples - start)
            let frame = try part(of: whole, start: start, count: count)
            frame.pts = Int64(start)
            try encoder.encode(frame) { try muxer.write($0, stream: stream) }
        }
        try encoder.encode(nil) { try muxer.write($0, stream: stream) }
        return try muxer.finish()
    }

    private static func part(of frame: Frame, start: Int, count: Int) throws -> Frame {
        let format = frame.sampleFormat ?? "fltp"
        let part = try Frame(sampleFormat: format, sampleRate: frame.sampleRate, layout: frame.layout, samples: count)
        let width = format.hasPrefix("s16") ? 2 : format.hasPrefix("u8") ? 1 : 4
        let isPlanar = format.hasSuffix("p")
        let bytes = width * (isPlanar ? 1 : frame.channels)
        for plane in 0..<(isPlanar ? frame.channels : 1) {
            guard let from = frame.plane(plane), let to = part.plane(plane) else { continue }
            to.update(from: from + start * bytes, count: count * bytes)
        }
        return part
    }

    /// An in-memory file with a moving gray image at 25 frames per second.
    static func image(frames: Int, format: String, codec: String = "libx264") throws -> [UInt8] {
        let encoder = try VideoEncoder(
            named: codec,
            format: VideoEncoder.Format(
                width: 64,
                height: 48,
                pixelFormat: "yuv420p",
                timeBase: Rational(1, 25),
                frameRate: Rational(25)
            ) {
                $0.keyframeInterval = 10
            },
            options: codec == "libx264" ? ["preset": "ultrafast"] : [:]
        )
        let muxer = try Muxer(format: format)
        let stream = try muxer.addStream(encoder)
        for number in 0..<frames {
            let frame = try Frame(pixelFormat: "yuv420p", width: 64, height: 48)
            for plane in 0..<3 {
                let lines = plane == 0 ? 48 : 24
                frame.plane(plane)?.update(
                    repeating: plane == 0 ? UInt8(truncatingIfNeeded: number * 5) : 128,
                    count: frame.lineSize(plane: plane) * lines
                )
            }
            frame.pts = Int64(number)
            try encoder.encode(frame) { packet in
                packet.duration = 1
                try muxer.write(packet, stream: stream)
            }
        }
        try encoder.encode(nil) { packet in
            packet.duration = 1
            try muxer.write(packet, stream: stream)
        }
        return try muxer.finish()
    }
}
