internal import CSegueFFmpeg
internal import SegueConcurrency

/// A container that libav has opened and probed.
struct OpenedInput {
    let context: UnsafeMutablePointer<AVFormatContext>
    let bytes: any InputBytes
    let interrupt: InterruptBox

    /// Opens a container.
    ///
    /// - Parameters:
    ///   - name: The path, or a name for in-memory bytes, for messages.
    ///   - url: The address that libav sees; it opens nothing else.
    /// - Throws: ``MediaError`` naming the call that failed.
    init(
        name: String,
        url: String,
        bytes: any InputBytes,
        format: String?,
        options: [String: String],
        interrupt: InterruptBox
    ) throws(MediaError) {
        startLibAV()
        guard let allocated = avformat_alloc_context() else { endWithoutMemory() }
        allocated.pointee.interrupt_callback = interrupt.callback
        interrupt.context = allocated
        allocated.pointee.pb = bytes.context
        ffs_open_nothing_else(allocated)
        if !bytes.isParsed { allocated.pointee.flags |= AVFMT_FLAG_NOPARSE }
        var demuxer: UnsafePointer<AVInputFormat>?
        if let format {
            demuxer = av_find_input_format(format)
            guard demuxer != nil else {
                avformat_free_context(allocated)
                throw MediaError(
                    call: "av_find_input_format",
                    file: name,
                    message: "libavformat was built without the container \(format)"
                )
            }
        }
        var opened: UnsafeMutablePointer<AVFormatContext>? = allocated
        let code = withOptions(options.merging(Self.safety) { $1 }) { dictionary in
            avformat_open_input(&opened, url, demuxer, &dictionary)
        }.result
        guard code >= 0, let owned = opened else {
            throw Self.failure(code, opening: bytes, url: url, name: name, interrupt)
        }
        interrupt.begin()
        let found = ffs_find_stream_info(owned, StillImage.mostPixels)
        guard found >= 0 else {
            var closing: UnsafeMutablePointer<AVFormatContext>? = owned
            avformat_close_input(&closing)
            throw MediaError(
                call: "avformat_find_stream_info",
                file: name,
                code: interrupt.isCancelled ? ffs_error_exit : found
            )
        }
        (context, self.bytes, self.interrupt) = (owned, bytes, interrupt)
    }

    /// Restricts libav to demuxers and protocols that open no other file.
    private static let safety = ["format_whitelist": SingleFileFormats.whitelist, "protocol_whitelist": "none"]

    /// Explains why a file could not be opened.
    private static func failure(
        _ code: Int32,
        opening bytes: any InputBytes,
        url: String,
        name: String,
        _ interrupt: InterruptBox
    ) -> MediaError {
        let call = MediaError.opening
        // libav has already freed it.
        interrupt.context = nil
        if interrupt.hasReadTooMuch { return emptyStretch(call, name) }
        if interrupt.isCancelled { return MediaError(call: call, file: name, code: ffs_error_exit) }
        if code == ffs_error_no_memory {
            let words = "the file has more than 1000 streams or declares structures that exceed memory"
            return MediaError(call: call, file: name, code: code, message: words)
        }
        if code == ffs_error_invalid_argument, let context = bytes.context,
            let words = SingleFileFormats.refusal(of: context, url: url)
        {
            return MediaError(call: call, file: name, code: code, message: words)
        }
        return MediaError(call: call, file: name, code: code)
    }

    static func emptyStretch(_ call: String, _ name: String) -> MediaError {
        MediaError(
            call: call,
            file: name,
            code: ffs_error_invalid_data,
            message: "found no packet within \(InterruptBox.greatestRead >> 20) MiB"
        )
    }
}
