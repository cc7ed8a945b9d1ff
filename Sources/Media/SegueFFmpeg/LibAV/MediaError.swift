internal import CSegueFFmpeg

/// A libav failure: the call, the file, and the reason.
package struct MediaError: Error, Sendable, Equatable, Codable, CustomStringConvertible {
    /// The failed libav function, or the name of Segue's own step.
    package let call: String
    /// The path, or the name of in-memory bytes.
    package let file: String
    /// libav's error code; 0 for Segue's own errors.
    package let code: Int32
    /// The reason, in libav's words if available.
    package let message: String

    package init(call: String, file: String, code: Int32 = 0, message: String) {
        self.call = call
        self.file = file
        self.code = code
        self.message = message
    }

    /// Creates an error from a libav return code and libav's last log line.
    init(call: String, file: String, code: Int32) {
        self.init(call: call, file: file, code: code, message: MediaError.words(for: code))
    }

    package var description: String { "\(file): \(reason)" }

    /// The failed step and its reason, without the file.
    package var reason: String {
        call == MediaError.opening ? "not readable as media: \(message)" : "\(MediaError.step(call)): \(message)"
    }

    /// The failed step in words; the name of a codec or format may follow a function's.
    private static func step(_ call: String) -> String {
        let words = call.split(separator: " ", maxSplits: 1)
        guard let function = words.first, let step = steps.first(where: { function.hasPrefix($0.prefix) }) else {
            return call
        }
        return words.count > 1 && call != decoderOpening ? "\(step.words) (\(words[1]))" : step.words
    }

    /// The steps of libav's functions; the first prefix that matches counts.
    private static let steps = [
        ("av_read_frame", "reading"), ("avformat_find_stream_info", "identifying the streams"),
        ("av_seek_frame", "seeking"), ("av_find_input_format", "choosing the format"),
        ("avcodec_find", "finding the codec"), ("avcodec_open2", "opening the codec"),
        ("avcodec_send_packet", "decoding"), ("avcodec_receive_frame", "decoding"), ("avcodec_decode", "decoding"),
        ("avcodec_send_frame", "encoding"), ("avcodec_receive_packet", "encoding"),
        ("avfilter", "filtering"), ("av_buffer", "filtering"), ("swr_", "resampling"), ("sws_", "scaling"),
        ("avformat_", "writing"), ("av_interleaved_write", "writing"), ("av_write", "writing"), ("avio_", "writing"),
        ("avcodec_", "setting up the codec"), ("av_", "setting up the media"), ("dlopen", "loading the library"),
        ("ebur128", "measuring the loudness"), ("svg_pipe", "drawing"),
    ].map { (prefix: $0.0, words: $0.1) }

    package var isCancelled: Bool { code == ffs_error_exit }

    /// True if the decoder rejects the stream's configuration, so nothing can be decoded.
    package var isDecoderRefusal: Bool { call == MediaError.decoderOpening }

    static let opening = "avformat_open_input"
    static let decoderOpening = "avcodec_open2 (decoder)"

    /// True if the bytes violate their format.
    package var isInvalidData: Bool { code == ffs_error_invalid_data }

    static func words(for code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        ffs_describe_error(code, &buffer, buffer.count)
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let logged = String(cString: ffs_last_log())
        return logged.isEmpty ? text : "\(text) (\(logged))"
    }
}

/// Returns a libav return code, or throws it as an error with the call and the file.
@discardableResult
func check(_ code: Int32, call: String, file: String) throws(MediaError) -> Int32 {
    guard code < 0 else { return code }
    throw MediaError(call: call, file: file, code: code)
}

/// Silences libav's log; every entry point calls it first.
func startLibAV() {
    ffs_quiet_log()
    ffs_forget_log()
}
