internal import CSegueFFmpeg
package import SegueBase

extension MediaWriter {
    /// The settings of an audio track.
    package struct AudioSettings: Sendable, Equatable {
        /// libav's name of the encoder.
        package var encoder: String
        /// Options of the encoder.
        package var options: [String: String]
        package var rate: Int
        package var channels: Int
        /// libav's name of the channel layout; nil for the default one.
        package var layout: String?
        /// libav's name of the sample format; nil for the encoder's first choice.
        package var sampleFormat: String?
        /// Bits per second; nil for the encoder's default.
        package var bitsPerSecond: Int?
        /// The language, as a three-letter code.
        package var language: String?
        package var title: String?
        /// The time of the first sample, in seconds.
        package var start: Rational
        /// The codec's four-character code in the container; nil for libav's choice.
        package var tag: String?

        /// Creates settings with defaults for everything optional.
        package init(encoder: String, rate: Int, channels: Int, start: Rational = .zero) {
            self.encoder = encoder
            self.rate = rate
            self.channels = channels
            self.start = start
            options = [:]
        }
    }

    /// Adds an audio track and returns its number for ``write(samples:track:)``.
    package func add(_ settings: AudioSettings) throws(MediaError) -> Int {
        let layout = settings.layout.flatMap(ChannelLayout.init(named:)) ?? ChannelLayout(channels: settings.channels)
        let encoder = try encoder(named: settings.encoder, options: settings.options) {
            (context, codec) throws(MediaError) in
            guard layout.channels == settings.channels else {
                throw MediaError(
                    call: "av_channel_layout_from_string",
                    file: file,
                    message: "\(settings.layout ?? "") is not a channel layout with \(settings.channels) channels"
                )
            }
            let copied = av_channel_layout_copy(&context.pointee.ch_layout, layout.pointer)
            try check(copied, call: "av_channel_layout_copy", file: file)
            context.pointee.sample_rate = Int32(settings.rate)
            context.pointee.time_base = AVRational(num: 1, den: Int32(settings.rate))
            let format = settings.sampleFormat.map { av_get_sample_fmt($0) }
            context.pointee.sample_fmt = format ?? codec.pointee.sample_fmts?.pointee ?? AV_SAMPLE_FMT_S16
            if let bitsPerSecond = settings.bitsPerSecond { context.pointee.bit_rate = Int64(bitsPerSecond) }
        }
        let stream = try addStream(of: encoder, tag: settings.tag)
        if let language = settings.language { av_dict_set(&stream.pointee.metadata, "language", language, 0) }
        if let title = settings.title { av_dict_set(&stream.pointee.metadata, "title", title, 0) }
        let track = WriterTrack(encoder: encoder, stream: stream, start: settings.start)
        tracks.append(track)
        let format = av_get_sample_fmt_name(encoder.context.pointee.sample_fmt).map { String(cString: $0) } ?? ""
        track.resampler = try Resampler(
            from: .init(rate: settings.rate, layout: layout, sampleFormat: "s32"),
            to: .init(rate: settings.rate, layout: layout, sampleFormat: format)
        )
        return tracks.count - 1
    }

    /// Appends interleaved samples, with full scale as the range of `Int32`.
    package func write(samples: [Int32], track: Int) throws(MediaError) {
        let track = tracks[track]
        track.waiting += samples
        let channels = Int(track.encoder.context.pointee.ch_layout.nb_channels)
        let size = track.encoder.context.pointee.frame_size > 0 ? Int(track.encoder.context.pointee.frame_size) : 1024
        var used = 0
        while track.waiting.count - used >= size * channels {
            try send(track, from: used, count: size)
            used += size * channels
        }
        track.waiting.removeFirst(used)
    }

    /// Ends an audio track by writing the last, possibly shorter frame.
    package func endAudio(track: Int) throws(MediaError) {
        let track = tracks[track]
        let channels = Int(track.encoder.context.pointee.ch_layout.nb_channels)
        guard !track.waiting.isEmpty else { return }
        try send(track, from: 0, count: track.waiting.count / channels)
        track.waiting = []
    }

    private func send(_ track: WriterTrack, from first: Int, count: Int) throws(MediaError) {
        guard let resampler = track.resampler else { return }
        let input = try Frame(
            sampleFormat: "s32",
            sampleRate: resampler.inputRate,
            layout: resampler.outputLayout,
            samples: count
        )
        track.waiting.withUnsafeBytes { bytes in
            let channels = resampler.outputLayout.channels
            guard let start = bytes.baseAddress, let plane = input.plane(0) else { return }
            plane.update(from: (start + 4 * first).assumingMemoryBound(to: UInt8.self), count: 4 * count * channels)
        }
        guard let frame = try resampler.convert(input) else { return }
        frame.pts = track.samplesSent
        track.samplesSent += Int64(count)
        try encode(frame, on: track)
    }
}
