internal import CSegueFFmpeg

/// A failure in libav: which call, on which file, and why.
package struct MediaError: Error, Sendable, Equatable, Codable, CustomStringConvertible {
    /// The libav function that failed, or the name of our own step.
    package let call: String
    /// The path of the file, or what the bytes were called.
    package let file: String
    /// libav's error code; 0 where the failure is not libav's.
    package let code: Int32
    /// What went wrong, in libav's words where it had any.
    package let message: String

    /// An error with words of our own.
    package init(call: String, file: String, code: Int32 = 0, message: String) {
        self.call = call
        self.file = file
        self.code = code
        self.message = message
    }

    /// An error from a libav return code, with the last line that libav logged about it.
    init(call: String, file: String, code: Int32) {
        self.init(call: call, file: file, code: code, message: MediaError.words(for: code))
    }

    package var description: String { "\(file): \(call): \(message)" }

    /// True if the call was interrupted by its ``Cancellation``.
    package var isCancelled: Bool { code == ffs_error_exit }

    /// True if the end of the input was reached.
    package var isEndOfFile: Bool { code == ffs_error_eof }

    /// True if libav's decoder refuses what the stream says of itself, so that nothing of it can be decoded.
    package var isDecoderRefusal: Bool { call == MediaError.decoderOpening }

    static let decoderOpening = "avcodec_open2 (decoder)"

    /// True if the bytes are not what their format asks for.
    package var isInvalidData: Bool { code == ffs_error_invalid_data }

    static func words(for code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        ffs_describe_error(code, &buffer, buffer.count)
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let logged = String(cString: ffs_last_log())
        return logged.isEmpty ? text : "\(text) (\(logged))"
    }
}

/// Passes a libav return code on, or throws it as an error that names the call and the file.
@discardableResult
func check(_ code: Int32, call: String, file: String) throws(MediaError) -> Int32 {
    guard code < 0 else { return code }
    throw MediaError(call: call, file: file, code: code)
}

/// Makes libav quiet; every entry point that touches libav goes through here first.
func startLibAV() {
    ffs_quiet_log()
    ffs_forget_log()
}
