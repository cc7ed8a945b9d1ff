internal import CFFmpeg
package import Timeline

extension MediaWriter {
    /// What an audio track is to be.
    package struct Sound: Sendable {
        /// libav's name of the encoder.
        package var encoder: String
        /// Options of the encoder.
        package var options: [String: String]
        /// Samples a second.
        package var rate: Int
        /// How many channels.
        package var channels: Int
        /// libav's name of the channel layout; nil for the usual one.
        package var layout: String?
        /// libav's name of the sample format; nil for the encoder's first.
        package var sampleFormat: String?
        /// Bits a second; nil for the encoder's choice.
        package var bitsPerSecond: Int?
        /// The language, in three letters.
        package var language: String?
        /// The track's title.
        package var title: String?
        /// The time of the first sample, in seconds.
        package var start: Rational
        /// The codec's four characters in the container; nil for libav's choice.
        package var tag: String?

        /// A track with everything at its default but what every encoder needs.
        package init(encoder: String, rate: Int, channels: Int, start: Rational = .zero) {
            self.encoder = encoder
            self.rate = rate
            self.channels = channels
            self.start = start
            options = [:]
        }
    }

    /// Adds an audio track.
    ///
    /// - Parameter sound: What it is to be.
    /// - Returns: The track's number, for ``write(samples:track:)``.
    /// - Throws: ``MediaError`` when the encoder does not exist or refuses the settings.
    package func add(_ sound: Sound) throws(MediaError) -> Int {
        let encoder = try encoder(named: sound.encoder)
        var owned: UnsafeMutablePointer<AVCodecContext>? = encoder
        defer { avcodec_free_context(&owned) }
        let layout = sound.layout.flatMap(ChannelLayout.init(named:)) ?? ChannelLayout(channels: sound.channels)
        guard layout.channels == sound.channels else {
            throw MediaError(
                call: "av_channel_layout_from_string",
                file: file,
                message: "\(sound.layout ?? "") is not a layout of \(sound.channels) channels"
            )
        }
        try check(av_channel_layout_copy(&encoder.pointee.ch_layout, layout.pointer), "av_channel_layout_copy", file)
        encoder.pointee.sample_rate = Int32(sound.rate)
        encoder.pointee.time_base = AVRational(num: 1, den: Int32(sound.rate))
        let format = sound.sampleFormat.map { av_get_sample_fmt($0) }
        encoder.pointee.sample_fmt = format ?? encoder.pointee.codec.pointee.sample_fmts?.pointee ?? AV_SAMPLE_FMT_S16
        if let bitsPerSecond = sound.bitsPerSecond { encoder.pointee.bit_rate = Int64(bitsPerSecond) }
        let stream = try open(encoder, options: sound.options, tag: sound.tag)
        if let language = sound.language { av_dict_set(&stream.pointee.metadata, "language", language, 0) }
        if let title = sound.title { av_dict_set(&stream.pointee.metadata, "title", title, 0) }
        let track = WriterTrack(encoder: encoder, stream: stream, start: sound.start)
        owned = nil
        tracks.append(track)
        let code = swr_alloc_set_opts2(
            &track.resampler,
            &encoder.pointee.ch_layout,
            encoder.pointee.sample_fmt,
            encoder.pointee.sample_rate,
            &encoder.pointee.ch_layout,
            AV_SAMPLE_FMT_S32,
            encoder.pointee.sample_rate,
            0,
            nil
        )
        try check(code, "swr_alloc_set_opts2", file)
        try check(swr_init(track.resampler), "swr_init", file)
        return tracks.count - 1
    }

    /// Writes sound, right after what was written before.
    ///
    /// - Parameters:
    ///   - samples: A sample of each channel in turn, full scale being the whole range of `Int32`.
    ///   - track: The track's number.
    /// - Throws: ``MediaError`` when the encoder or the container fails.
    package func write(samples: [Int32], track: Int) throws(MediaError) {
        let track = tracks[track]
        track.waiting += samples
        let channels = Int(track.encoder.pointee.ch_layout.nb_channels)
        let size = track.encoder.pointee.frame_size > 0 ? Int(track.encoder.pointee.frame_size) : 1024
        var used = 0
        while track.waiting.count - used >= size * channels {
            try send(track, from: used, count: size)
            used += size * channels
        }
        track.waiting.removeFirst(used)
    }

    /// Ends an audio track: writes the last frame, which may be shorter than the others.
    ///
    /// - Parameter track: The track's number.
    /// - Throws: ``MediaError`` when the encoder or the container fails.
    package func endSound(track: Int) throws(MediaError) {
        let track = tracks[track]
        let channels = Int(track.encoder.pointee.ch_layout.nb_channels)
        guard !track.waiting.isEmpty else { return }
        try send(track, from: 0, count: track.waiting.count / channels)
        track.waiting = []
    }

    private func send(_ track: WriterTrack, from first: Int, count: Int) throws(MediaError) {
        let (frame, encoder) = (track.frame, track.encoder)
        av_frame_unref(frame)
        frame.pointee.nb_samples = Int32(count)
        frame.pointee.format = encoder.pointee.sample_fmt.rawValue
        frame.pointee.sample_rate = encoder.pointee.sample_rate
        let copied = av_channel_layout_copy(&frame.pointee.ch_layout, &encoder.pointee.ch_layout)
        try check(copied, "av_channel_layout_copy", file)
        try check(av_frame_get_buffer(frame, 0), "av_frame_get_buffer", file)
        let converted = track.waiting.withUnsafeBytes { bytes in
            var input = bytes.baseAddress.map { ($0 + first * 4).assumingMemoryBound(to: UInt8.self) }
            return swr_convert(track.resampler, frame.pointee.extended_data, Int32(count), &input, Int32(count))
        }
        try check(converted, "swr_convert", file)
        frame.pointee.pts = track.samplesSent
        track.samplesSent += Int64(count)
        try encode(frame, on: track)
    }
}
