internal import SegueConcurrency
import CSegueFFmpeg
internal import SegueBase

extension StreamInfo {
    /// True for xHE-AAC, which libav decodes from version 7.1 on.
    package var isExtendedHighEfficiency: Bool { codec == "aac" && Self.isUSAC(extradata) }

    /// True if libav decodes a codec with a configuration.
    static func canDecode(_ codec: AVCodecID, extradata: [UInt8]) -> Bool {
        guard avcodec_find_decoder(codec) != nil else { return false }
        return codec != AV_CODEC_ID_AAC || !isUSAC(extradata) || avcodec_version() >= 61 << 16 | 19 << 8
    }

    /// True if an AudioSpecificConfig has object type 42 (ISO/IEC 14496-3, 1.6.2.1).
    private static func isUSAC(_ extradata: [UInt8]) -> Bool {
        extradata.count > 1 && extradata[0] == 0xf9 && extradata[1] >> 5 == 2
    }

    /// Opens libav's decoder for the stream; the caller frees it.
    func openedDecoder(
        file: String,
        threads: Int = 1,
        options: [String: String] = [:]
    ) throws(MediaError) -> UnsafeMutablePointer<AVCodecContext> {
        startLibAV()
        guard let found = avcodec_find_decoder(parameters.pointer.pointee.codec_id) else {
            throw MediaError(
                call: "avcodec_find_decoder",
                file: file,
                code: ffs_error_decoder_not_found,
                message: "libavcodec was built without a decoder for \(codec)"
            )
        }
        guard let made = avcodec_alloc_context3(found) else { endWithoutMemory() }
        var code = avcodec_parameters_to_context(made, parameters.pointer)
        if code >= 0 {
            made.pointee.pkt_timebase = timeBase.libav
            made.pointee.thread_count = Int32(threads)
            code = withOptions(steadyOptions.merging(options) { $1 }) { avcodec_open2(made, found, &$0) }.result
        }
        guard code >= 0 else {
            var freed: UnsafeMutablePointer<AVCodecContext>? = made
            avcodec_free_context(&freed)
            throw MediaError(call: MediaError.decoderOpening, file: file, code: code)
        }
        return made
    }

    /// The options that make decoded samples independent of the start position.
    ///
    /// AC-3 decoders fill uncoded bands with noise. libav's noise sequence starts with the decoder unless an option
    /// seeds it per frame.
    private var steadyOptions: [String: String] {
        ["ac3", "eac3"].contains(codec) ? ["cons_noisegen": "1"] : [:]
    }
}
