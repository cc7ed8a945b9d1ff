internal import SegueConcurrency
import CSegueFFmpeg
package import SegueBase

/// A muxer to memory or a file.
package final class Muxer {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let name: String
    private let options: [String: String]
    private let isInMemory: Bool
    private var timeBases: [Rational] = []
    private var headerWritten = false

    /// Sets up a muxer.
    ///
    /// - Parameters:
    ///   - format: libav's name of the container (`mp4`, `mpegts`, `matroska`).
    ///   - path: The file, replaced if it exists; nil writes to memory.
    ///   - options: libav's options for the muxer (`movflags`).
    /// - Throws: ``MediaError`` if the muxer is missing or the file cannot be created.
    package init(format: String, path: String? = nil, options: [String: String] = [:]) throws(MediaError) {
        startLibAV()
        name = path ?? "\(format) in memory"
        self.options = options
        isInMemory = path == nil
        var made: UnsafeMutablePointer<AVFormatContext>?
        let code = avformat_alloc_output_context2(&made, nil, format, nil)
        guard code >= 0, let made else {
            throw MediaError(call: "avformat_alloc_output_context2", file: name, code: code)
        }
        made.pointee.flags |= AVFMT_FLAG_BITEXACT
        made.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        context = made
        if let path {
            try check(avio_open(&made.pointee.pb, "file:" + path, AVIO_FLAG_WRITE), call: "avio_open", file: name)
        } else {
            try check(avio_open_dyn_buf(&made.pointee.pb), call: "avio_open_dyn_buf", file: name)
        }
    }

    deinit {
        if isInMemory { _ = takeBuffer() } else { avio_closep(&context.pointee.pb) }
        avformat_free_context(context)
    }

    /// Adds a stream with these parameters; its packets use `timeBase`.
    @discardableResult
    package func addStream(
        _ parameters: CodecParameters,
        timeBase: Rational,
        attributes: StreamAttributes = StreamAttributes()
    ) throws(MediaError) -> Int {
        guard let stream = avformat_new_stream(context, nil) else { endWithoutMemory() }
        try check(
            avcodec_parameters_copy(stream.pointee.codecpar, parameters.pointer),
            call: "avcodec_parameters_copy",
            file: name
        )
        stream.pointee.codecpar.pointee.codec_tag = attributes.codecTag ?? 0
        stream.pointee.time_base = timeBase.libav
        if attributes.isAttachedPicture { stream.pointee.disposition |= AV_DISPOSITION_ATTACHED_PIC }
        for (key, value) in attributes.metadata.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&stream.pointee.metadata, key, value, 0)
        }
        if attributes.displayMatrix != nil || attributes.rotation != nil { setDisplay(attributes, of: stream) }
        attributes.dolbyVision?.add(to: stream)
        timeBases.append(timeBase)
        return timeBases.count - 1
    }

    /// Adds a stream for an encoder's packets.
    @discardableResult
    package func addStream(
        _ encoder: any StreamEncoder,
        attributes: StreamAttributes = StreamAttributes()
    ) throws(MediaError) -> Int {
        try addStream(encoder.parameters, timeBase: encoder.packetTimeBase, attributes: attributes)
    }

    /// Sets the container's tags; call before the first packet.
    package func setMetadata(_ metadata: [String: String]) {
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&context.pointee.metadata, key, value, 0)
        }
    }

    /// Writes a packet in the stream's time base; the muxer interleaves, and the caller keeps the packet.
    package func write(_ packet: Packet, stream: Int) throws(MediaError) {
        try writeHeader()
        guard let target = context.pointee.streams[stream] else { return }
        let copy = Packet()
        try check(av_packet_ref(copy.pointer, packet.pointer), call: "av_packet_ref", file: name)
        copy.streamIndex = stream
        copy.rescale(from: timeBases[stream].libav, to: target.pointee.time_base)
        try check(av_interleaved_write_frame(context, copy.pointer), call: "av_interleaved_write_frame", file: name)
    }

    /// Writes the trailer and returns the bytes, or none for a file; nothing can be written after.
    @discardableResult
    package func finish() throws(MediaError) -> [UInt8] {
        try writeHeader()
        try check(av_write_trailer(context), call: "av_write_trailer", file: name)
        if isInMemory { return takeBuffer() }
        try check(avio_closep(&context.pointee.pb), call: "avio_closep", file: name)
        return []
    }

    /// Returns the bytes written to memory so far, without a trailer; nothing can be written after.
    package func takeUnfinished() throws(MediaError) -> [UInt8] {
        try writeHeader()
        try check(av_interleaved_write_frame(context, nil), call: "av_interleaved_write_frame", file: name)
        try check(av_write_frame(context, nil), call: "av_write_frame", file: name)
        avio_flush(context.pointee.pb)
        return takeBuffer()
    }

    private func writeHeader() throws(MediaError) {
        guard !headerWritten else { return }
        let written = withOptions(options) { avformat_write_header(context, &$0) }
        try check(written.result, call: "avformat_write_header", file: name)
        guard written.unused.isEmpty else {
            throw MediaError(
                call: "avformat_write_header",
                file: name,
                code: ffs_error_option_not_found,
                message: "unknown muxer option: \(written.unused.joined(separator: ", "))"
            )
        }
        headerWritten = true
    }

    private func setDisplay(_ attributes: StreamAttributes, of stream: UnsafeMutablePointer<AVStream>) {
        guard let data = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 36) else { return }
        data.withMemoryRebound(to: Int32.self, capacity: 9) { matrix in
            if let given = attributes.displayMatrix, given.count == 9 {
                matrix.update(from: given, count: 9)
            } else {
                av_display_rotation_set(matrix, attributes.rotation ?? 0)
            }
        }
    }

    private func takeBuffer() -> [UInt8] {
        guard let pb = context.pointee.pb else { return [] }
        var buffer: UnsafeMutablePointer<UInt8>?
        let size = avio_close_dyn_buf(pb, &buffer)
        context.pointee.pb = nil
        defer { av_free(buffer) }
        guard let buffer, size > 0 else { return [] }
        return [UInt8](UnsafeBufferPointer(start: buffer, count: Int(size)))
    }
}
