internal import SegueConcurrency
import CSegueFFmpeg
package import SegueBase

/// A writer of test media in any container that libav supports.
///
/// The same calls give the same bytes: encoders use one thread and write neither dates nor versions. Add all tracks,
/// call ``begin()``, write in time order, call ``finish()``.
package final class MediaWriter {
    let file: String
    let context: UnsafeMutablePointer<AVFormatContext>
    var tracks: [WriterTrack] = []
    private let options: [String: String]
    private let shift: Rational
    private var hasBegun = false

    /// Creates or truncates a file.
    ///
    /// - Parameters:
    ///   - format: libav's name of the container format.
    ///   - options: Options for the muxer.
    ///   - shift: The offset added to all times, in seconds.
    /// - Throws: ``MediaError`` if the format is unknown or the file cannot be written.
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

    /// Sets a tag of the file.
    package func setTag(_ name: String, to value: String) {
        av_dict_set(&context.pointee.metadata, name, value, 0)
    }

    /// Writes the header; call after adding all tracks.
    package func begin() throws(MediaError) {
        let (code, unused) = withOptions(options) { avformat_write_header(context, &$0) }
        try check(code, call: "avformat_write_header", file: file)
        hasBegun = true
        guard unused.isEmpty else {
            throw MediaError(
                call: "avformat_write_header",
                file: file,
                message: "unknown container option: \(unused.joined(separator: ", "))"
            )
        }
        for track in tracks where track.isArtwork { try drain(track) }
    }

    /// Drains the encoders and writes the trailer.
    package func finish() throws(MediaError) {
        for track in tracks where !track.isArtwork {
            try track.encoder.send(nil)
            try drain(track)
        }
        try check(av_write_trailer(context), call: "av_write_trailer", file: file)
        if let output = context.pointee.pb, output.pointee.error < 0 {
            throw MediaError(call: "avio_write", file: file, code: output.pointee.error)
        }
    }

    /// Encodes a frame and writes the packets.
    func encode(_ frame: Frame, on track: WriterTrack) throws(MediaError) {
        try track.encoder.send(frame)
        if hasBegun { try drain(track) }
    }

    private func drain(_ track: WriterTrack) throws(MediaError) {
        let unit = track.encoder.context.pointee.time_base
        let packet = Packet()
        while try track.encoder.take(packet) {
            let pointer = packet.pointer
            pointer.pointee.pts = track.time(pointer.pointee.pts, in: unit, shift: shift)
            pointer.pointee.dts = track.time(pointer.pointee.dts, in: unit, shift: shift)
            pointer.pointee.duration = av_rescale_q(pointer.pointee.duration, unit, track.stream.pointee.time_base)
            pointer.pointee.stream_index = track.stream.pointee.index
            try check(av_interleaved_write_frame(context, pointer), call: "av_interleaved_write_frame", file: file)
        }
    }

    func encoder(
        named name: String,
        options: [String: String],
        configure: (UnsafeMutablePointer<AVCodecContext>, UnsafePointer<AVCodec>) throws(MediaError) -> Void
    ) throws(MediaError) -> EncoderCore {
        try EncoderCore(
            named: name,
            for: file,
            globalHeader: context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0,
            options: options,
            configure: configure
        )
    }

    /// Adds an encoder's stream to the container.
    func addStream(of encoder: EncoderCore, tag: String?) throws(MediaError) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(context, nil) else { endWithoutMemory() }
        try check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context),
            call: "avcodec_parameters_from_context",
            file: file
        )
        if let tag {
            let bytes = Array(tag.utf8)
            stream.pointee.codecpar.pointee.codec_tag = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        stream.pointee.time_base = encoder.context.pointee.time_base
        return stream
    }
}

/// A track being written: its encoder and its stream.
final class WriterTrack {
    let encoder: EncoderCore
    let stream: UnsafeMutablePointer<AVStream>
    let start: Rational
    let isArtwork: Bool
    /// The converter to the encoder's pixel format; nil if none is needed.
    var scaler: Scaler?
    /// The converter to the encoder's sample format.
    var resampler: Resampler?
    /// Interleaved samples that do not yet fill an encoder frame.
    var waiting: [Int32] = []
    var samplesSent: Int64 = 0

    init(
        encoder: EncoderCore,
        stream: UnsafeMutablePointer<AVStream>,
        start: Rational,
        isArtwork: Bool = false
    ) {
        (self.encoder, self.stream, self.start, self.isArtwork) = (encoder, stream, start, isArtwork)
    }

    /// Converts an encoder time to the container's unit, rounding once.
    func time(_ time: Int64, in unit: AVRational, shift: Rational) -> Int64 {
        guard time != ffs_no_timestamp, let encoderUnit = Rational(unit), let unit = Rational(stream.pointee.time_base)
        else { return ffs_no_timestamp }
        let shift = isArtwork ? .zero : start + shift
        return ((Rational(time) * encoderUnit + shift) / unit).rounded(scale: 1)
    }
}
