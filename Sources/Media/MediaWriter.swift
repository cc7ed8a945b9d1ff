internal import CFFmpeg
package import Timeline

/// Encodes pictures and sound into a file of any container that libav writes, for making test media.
///
/// The same calls give the same bytes: encoders run in one thread, and encoders and containers are told to write neither
/// dates nor version numbers. Add all tracks, call ``begin()``, write in order of time, call ``finish()``.
package final class MediaWriter {
    let file: String
    let context: UnsafeMutablePointer<AVFormatContext>
    var tracks: [WriterTrack] = []
    private let options: [String: String]
    private let shift: Rational
    private var hasBegun = false

    /// A writer of one file, which is made or emptied.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: libav's name of the container format.
    ///   - options: Options of the container's writer.
    ///   - shift: What is added to all times, in seconds.
    /// - Throws: ``MediaError`` when there is no such format or the file cannot be written.
    package init(path: String, format: String, options: [String: String], shift: Rational) throws(MediaError) {
        startLibAV()
        var made: UnsafeMutablePointer<AVFormatContext>?
        let code = avformat_alloc_output_context2(&made, nil, format, "file:" + path)
        guard let context = made else {
            throw MediaError(call: "avformat_alloc_output_context2 \(format)", file: path, code: code)
        }
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        if context.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0 {
            let opened = avio_open(&context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE)
            guard opened >= 0 else {
                avformat_free_context(context)
                throw MediaError(call: "avio_open", file: path, code: opened)
            }
        }
        self.context = context
        self.file = path
        self.options = options
        self.shift = shift
    }

    deinit {
        tracks = []
        if context.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0 { avio_closep(&context.pointee.pb) }
        avformat_free_context(context)
    }

    /// Sets a tag of the whole file.
    package func setTag(_ name: String, to value: String) {
        av_dict_set(&context.pointee.metadata, name, value, 0)
    }

    /// Writes the container's header; all tracks have been added.
    ///
    /// - Throws: ``MediaError`` when the container refuses a codec or an option.
    package func begin() throws(MediaError) {
        let (code, unused) = withOptions(options) { avformat_write_header(context, &$0) }
        try check(code, "avformat_write_header", file)
        hasBegun = true
        guard unused.isEmpty else {
            throw MediaError(
                call: "avformat_write_header",
                file: file,
                message: "the container has no option \(unused.joined(separator: ", "))"
            )
        }
        for track in tracks where track.isArtwork { try drain(track) }
    }

    /// Writes what the encoders still hold, and the container's end.
    ///
    /// - Throws: ``MediaError`` when an encoder or the container fails.
    package func finish() throws(MediaError) {
        for track in tracks where !track.isArtwork {
            try check(avcodec_send_frame(track.encoder, nil), "avcodec_send_frame", file)
            try drain(track)
        }
        try check(av_write_trailer(context), "av_write_trailer", file)
        if let output = context.pointee.pb, output.pointee.error < 0 {
            throw MediaError(call: "avio_write", file: file, code: output.pointee.error)
        }
    }

    /// Gives a frame to an encoder and what comes out to the container.
    func encode(_ frame: UnsafeMutablePointer<AVFrame>, on track: WriterTrack) throws(MediaError) {
        try check(avcodec_send_frame(track.encoder, frame), "avcodec_send_frame", file)
        if hasBegun { try drain(track) }
    }

    private func drain(_ track: WriterTrack) throws(MediaError) {
        guard let packet = av_packet_alloc() else { endWithoutMemory() }
        var freed: UnsafeMutablePointer<AVPacket>? = packet
        defer { av_packet_free(&freed) }
        while true {
            let code = avcodec_receive_packet(track.encoder, packet)
            if code == ffs_error_again || code == ffs_error_eof { return }
            try check(code, "avcodec_receive_packet", file)
            let unit = track.encoder.pointee.time_base
            packet.pointee.pts = track.time(packet.pointee.pts, in: unit, shift: shift)
            packet.pointee.dts = track.time(packet.pointee.dts, in: unit, shift: shift)
            packet.pointee.duration = av_rescale_q(packet.pointee.duration, unit, track.stream.pointee.time_base)
            packet.pointee.stream_index = track.stream.pointee.index
            try check(av_interleaved_write_frame(context, packet), "av_interleaved_write_frame", file)
        }
    }
}

/// One track of a file that is written: its encoder and its place in the container.
final class WriterTrack {
    let encoder: UnsafeMutablePointer<AVCodecContext>
    let stream: UnsafeMutablePointer<AVStream>
    let frame: UnsafeMutablePointer<AVFrame>
    let start: Rational
    let isArtwork: Bool
    var scaler: OpaquePointer?
    var resampler: OpaquePointer?
    /// Interleaved samples that wait until a frame of the encoder is full.
    var waiting: [Int32] = []
    var samplesSent: Int64 = 0

    init(
        encoder: UnsafeMutablePointer<AVCodecContext>,
        stream: UnsafeMutablePointer<AVStream>,
        start: Rational,
        isArtwork: Bool = false
    ) {
        guard let frame = av_frame_alloc() else { endWithoutMemory() }
        self.encoder = encoder
        self.stream = stream
        self.frame = frame
        self.start = start
        self.isArtwork = isArtwork
    }

    deinit {
        var (encoder, frame): (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVFrame>?) = (encoder, frame)
        avcodec_free_context(&encoder)
        av_frame_free(&frame)
        sws_freeContext(scaler)
        swr_free(&resampler)
    }

    /// An encoder's time in the container's unit, rounded once.
    func time(_ time: Int64, in unit: AVRational, shift: Rational) -> Int64 {
        guard time != ffs_no_timestamp, let encoderUnit = Rational(unit), let unit = Rational(stream.pointee.time_base)
        else { return ffs_no_timestamp }
        let shift = isArtwork ? .zero : start + shift
        return ((Rational(time) * encoderUnit + shift) / unit).rounded(scale: 1)
    }
}

extension MediaWriter {
    /// Makes an encoder by its name.
    func encoder(named name: String) throws(MediaError) -> UnsafeMutablePointer<AVCodecContext> {
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw MediaError(
                call: "avcodec_find_encoder_by_name",
                file: file,
                code: ffs_error_encoder_not_found,
                message: "this libav has no encoder \(name)"
            )
        }
        guard let encoder = avcodec_alloc_context3(codec) else { endWithoutMemory() }
        encoder.pointee.thread_count = 1
        encoder.pointee.flags |= ffs_codec_flag_bitexact
        if context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 {
            encoder.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        }
        return encoder
    }

    /// Opens an encoder and adds its stream to the container.
    func open(
        _ encoder: UnsafeMutablePointer<AVCodecContext>,
        options: [String: String],
        tag: String?
    ) throws(MediaError) -> UnsafeMutablePointer<AVStream> {
        // A failed opening takes the codec from the context; its name is needed for the error.
        let name = String(cString: encoder.pointee.codec.pointee.name)
        let (code, unused) = withOptions(options) { avcodec_open2(encoder, nil, &$0) }
        try check(code, "avcodec_open2 \(name)", file)
        guard unused.isEmpty else {
            throw MediaError(
                call: "avcodec_open2 \(name)",
                file: file,
                message: "the encoder has no option \(unused.joined(separator: ", "))"
            )
        }
        guard let stream = avformat_new_stream(context, nil) else { endWithoutMemory() }
        try check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder),
            "avcodec_parameters_from_context",
            file
        )
        if let tag {
            let bytes = Array(tag.utf8)
            stream.pointee.codecpar.pointee.codec_tag = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        stream.pointee.time_base = encoder.pointee.time_base
        return stream
    }
}
