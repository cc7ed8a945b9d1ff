internal import CFFmpeg
internal import Timeline

/// One libav muxer, writing to a file or to memory.
final class MuxerCore {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let name: String
    private let options: [String: String]
    private let toMemory: Bool
    private var timeBases: [Rational] = []
    private var headerWritten = false

    init(name: String, format: String?, path: String?, options: [String: String]) throws(MediaError) {
        startLibAV()
        var made: UnsafeMutablePointer<AVFormatContext>?
        let code = avformat_alloc_output_context2(&made, nil, format, path)
        guard code >= 0, let made else {
            throw MediaError(call: "avformat_alloc_output_context2", file: name, code: code)
        }
        made.pointee.flags |= AVFMT_FLAG_BITEXACT
        context = made
        self.name = name
        self.options = options
        toMemory = path == nil
        if let path, made.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0 {
            try check(avio_open(&made.pointee.pb, "file:" + path, AVIO_FLAG_WRITE), "avio_open", name)
        } else if toMemory {
            try check(avio_open_dyn_buf(&made.pointee.pb), "avio_open_dyn_buf", name)
        }
    }

    deinit {
        if toMemory {
            _ = takeBuffer()
        } else if context.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0 {
            avio_closep(&context.pointee.pb)
        }
        avformat_free_context(context)
    }

    func addStream(_ parameters: CodecParameters, timeBase: Rational, attributes: StreamAttributes) throws(MediaError)
        -> Int
    {
        guard let stream = avformat_new_stream(context, nil) else { fatalError("out of memory") }
        try check(avcodec_parameters_copy(stream.pointee.codecpar, parameters.pointer), "avcodec_parameters_copy", name)
        if !attributes.keepsCodecTag { stream.pointee.codecpar.pointee.codec_tag = 0 }
        if let tag = attributes.codecTag { stream.pointee.codecpar.pointee.codec_tag = tag }
        stream.pointee.time_base = timeBase.libav
        if let rate = attributes.frameRate { stream.pointee.avg_frame_rate = rate.libav }
        if attributes.isAttachedPicture { stream.pointee.disposition |= AV_DISPOSITION_ATTACHED_PIC }
        if attributes.isDefault { stream.pointee.disposition |= AV_DISPOSITION_DEFAULT }
        for (key, value) in attributes.metadata.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&stream.pointee.metadata, key, value, 0)
        }
        if let degrees = attributes.rotation { setRotation(degrees, of: stream) }
        timeBases.append(timeBase)
        return timeBases.count - 1
    }

    private func setRotation(_ degrees: Double, of stream: UnsafeMutablePointer<AVStream>) {
        guard let data = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 36) else { return }
        data.withMemoryRebound(to: Int32.self, capacity: 9) { av_display_rotation_set($0, -degrees) }
    }

    func setMetadata(_ metadata: [String: String]) {
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&context.pointee.metadata, key, value, 0)
        }
    }

    func writeHeader() throws(MediaError) {
        guard !headerWritten else { return }
        let written = withOptions(options) { avformat_write_header(context, &$0) }
        try check(written.result, "avformat_write_header", name)
        guard written.unused.isEmpty else {
            throw MediaError(
                call: "avformat_write_header",
                file: name,
                code: ffs_error_option_not_found,
                message: "the muxer has no option \(written.unused.joined(separator: ", "))"
            )
        }
        headerWritten = true
    }

    func write(_ packet: Packet, stream: Int, interleaved: Bool) throws(MediaError) {
        try writeHeader()
        guard let target = context.pointee.streams[stream] else { return }
        let copy = Packet()
        try check(av_packet_ref(copy.pointer, packet.pointer), "av_packet_ref", name)
        copy.streamIndex = stream
        copy.rescale(from: timeBases[stream].libav, to: target.pointee.time_base)
        if interleaved {
            try check(av_interleaved_write_frame(context, copy.pointer), "av_interleaved_write_frame", name)
        } else {
            try check(av_write_frame(context, copy.pointer), "av_write_frame", name)
        }
    }

    /// Writes out what the muxer holds back: a fragment, for fragmented MP4.
    func flush() throws(MediaError) {
        try writeHeader()
        try check(av_interleaved_write_frame(context, nil), "av_interleaved_write_frame", name)
        try check(av_write_frame(context, nil), "av_write_frame", name)
        avio_flush(context.pointee.pb)
    }

    func finish() throws(MediaError) {
        try writeHeader()
        try check(av_write_trailer(context), "av_write_trailer", name)
        if !toMemory, context.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0 {
            try check(avio_closep(&context.pointee.pb), "avio_closep", name)
        }
    }

    /// The bytes written since the last taking; memory only. Nothing can be written after.
    func takeBuffer() -> [UInt8] {
        guard toMemory, let pb = context.pointee.pb else { return [] }
        var buffer: UnsafeMutablePointer<UInt8>?
        let size = avio_close_dyn_buf(pb, &buffer)
        context.pointee.pb = nil
        defer { av_free(buffer) }
        guard let buffer, size > 0 else { return [] }
        return [UInt8](UnsafeBufferPointer(start: buffer, count: Int(size)))
    }
}
