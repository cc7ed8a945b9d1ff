package import SegueConcurrency
package import SegueFFmpeg

/// A continuous stream of audio frames from many files.
package protocol RadioPlaying {
    /// Encodes the audio of a file as far as it can be read, and hands over its frames.
    ///
    /// - Parameters:
    ///   - begin: Receives the file's tags before its first sample.
    /// - Returns: True if there was any audio.
    /// - Throws: ``MediaError`` if the file cannot be opened or the work is cancelled; the error of the receiver of
    ///   frames.
    func play(path: String, cancellation: Cancellation, begin: ([String: String]) -> Void) throws -> Bool
}

/// An encoder of a continuous stream of audio frames from many files.
///
/// One encoder runs through all of them without gaps: the last samples of a file and the first of the next may share a
/// frame. It belongs to one thread.
package final class RadioEncoder: RadioPlaying {
    /// The number of failed reads after which the rest of a file is skipped.
    private static let failureLimit = 100

    private let format: RadioFormat
    private let encoder: AudioEncoder
    private var pending: [[Float]] = [[], []]
    private var written: Int64 = 0
    private let emit: ([UInt8]) throws -> Void

    /// Creates an encoder that hands over each frame in its transport format.
    package init(_ format: RadioFormat, emit: @escaping ([UInt8]) throws -> Void) throws(MediaError) {
        self.format = format
        self.emit = emit
        encoder = try AudioEncoder(
            named: format.encoder,
            sampleRate: RadioFormat.sampleRate,
            layout: ChannelLayout(channels: 2),
            sampleFormat: "fltp",
            quality: .bitRate(Int64(format.bitRate))
        )
    }

    var frameDuration: Duration { .seconds(1) * encoder.frameSize / RadioFormat.sampleRate }

    package func play(path: String, cancellation: Cancellation, begin: ([String: String]) -> Void) throws -> Bool {
        let input = try MediaInput(path: path, cancellation: cancellation)
        let audioTracks = input.streams.filter { $0.kind == .audio && $0.canDecode }
        guard let stream = audioTracks.first(where: \.isDefault) ?? audioTracks.first else { return false }
        input.keepOnly(streams: [stream.index])
        let decoder = try Decoder(stream: stream, file: path)
        let packet = Packet()
        var resampler: Resampler?
        var source = (rate: 0, layout: "", format: "")
        var hasAudio = false
        func take(_ frame: Frame) throws {
            guard frame.sampleCount > 0, let sampleFormat = frame.sampleFormat else { return }
            let now = (rate: frame.sampleRate, layout: frame.layout.name, format: sampleFormat)
            if resampler == nil || now != source {
                try drain(&resampler)
                resampler = try Resampler(
                    from: .init(rate: frame.sampleRate, layout: frame.layout, sampleFormat: sampleFormat),
                    to: .init(rate: RadioFormat.sampleRate, layout: encoder.layout, sampleFormat: "fltp")
                )
                source = now
            }
            if !hasAudio { begin(input.metadata) }
            hasAudio = true
            if let converted = try resampler?.convert(frame) { try add(converted) }
        }
        var failures = 0
        // The data after a damaged part may be intact.
        func attempt(_ step: () throws -> Void) throws {
            do { try step() } catch let error as MediaError where !error.isCancelled { failures += 1 }
        }
        var isOver = false
        while !isOver, failures < Self.failureLimit {
            try attempt {
                isOver = try !input.read(into: packet)
                guard !isOver, packet.streamIndex == stream.index else { return }
                try decoder.decode(packet, take)
            }
        }
        try attempt { try decoder.decode(nil, take) }
        try attempt { try drain(&resampler) }
        return hasAudio
    }

    private func drain(_ resampler: inout Resampler?) throws {
        while let rest = try resampler?.convert(nil) { try add(rest) }
        resampler = nil
    }

    private func add(_ frame: Frame) throws {
        for channel in 0..<2 {
            guard let plane = frame.plane(channel) else { continue }
            plane.withMemoryRebound(to: Float.self, capacity: frame.sampleCount) {
                pending[channel] += UnsafeBufferPointer(start: $0, count: frame.sampleCount)
            }
        }
        let size = encoder.frameSize
        var used = 0
        while pending[0].count - used >= size, pending[1].count - used >= size {
            try encode(from: used, size)
            used += size
        }
        for channel in 0..<2 { pending[channel].removeFirst(used) }
    }

    private func encode(from start: Int, _ size: Int) throws {
        let frame = try Frame(
            sampleFormat: "fltp",
            sampleRate: RadioFormat.sampleRate,
            layout: encoder.layout,
            samples: size
        )
        for channel in 0..<2 {
            guard let plane = frame.plane(channel) else { continue }
            plane.withMemoryRebound(to: Float.self, capacity: size) { target in
                for index in 0..<size { target[index] = pending[channel][start + index] }
            }
        }
        frame.pts = written
        written += Int64(size)
        try encoder.encode(frame) { try emit(format.framed($0.bytes)) }
    }
}
