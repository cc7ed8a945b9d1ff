internal import CFFmpeg

/// Changes the rate, the channels or the format of samples.
package final class Resampler {
    private let context: OpaquePointer
    /// Samples a second going in.
    package let inputRate: Int
    /// Samples a second coming out.
    package let outputRate: Int
    /// The channels coming out.
    package let outputLayout: ChannelLayout
    /// libav's name of the sample format coming out.
    package let outputFormat: String

    /// Sets up a conversion.
    ///
    /// - Parameter options: libswresample's options.
    /// - Throws: ``MediaError`` when libswresample cannot do it.
    package init(
        from inputRate: Int,
        inputLayout: ChannelLayout,
        inputFormat: String,
        to outputRate: Int,
        outputLayout: ChannelLayout,
        outputFormat: String,
        options: [String: String] = [:]
    ) throws(MediaError) {
        startLibAV()
        var made: OpaquePointer?
        var code = swr_alloc_set_opts2(
            &made,
            outputLayout.pointer,
            av_get_sample_fmt(outputFormat),
            Int32(outputRate),
            inputLayout.pointer,
            av_get_sample_fmt(inputFormat),
            Int32(inputRate),
            0,
            nil
        )
        if code >= 0, let made {
            for (key, value) in options.sorted(by: { $0.key < $1.key }) where code >= 0 {
                code = av_opt_set(UnsafeMutableRawPointer(made), key, value, 0)
            }
            if code >= 0 { code = swr_init(made) }
        }
        guard code >= 0, let context = made else {
            swr_free(&made)
            throw MediaError(call: "swr_init", file: "\(inputRate) Hz \(inputLayout.name) \(inputFormat)", code: code)
        }
        self.context = context
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.outputLayout = outputLayout
        self.outputFormat = outputFormat
    }

    deinit {
        var freed: OpaquePointer? = context
        swr_free(&freed)
    }

    /// Converts a frame; nil drains what the filter holds back.
    ///
    /// - Returns: What came out, without a timestamp; nil when nothing did.
    /// - Throws: ``MediaError``.
    package func convert(_ frame: Frame?) throws(MediaError) -> Frame? {
        let room = swr_get_out_samples(context, Int32(frame?.sampleCount ?? 0))
        guard room > 0 else { return nil }
        let output = try Frame(
            sampleFormat: outputFormat,
            sampleRate: outputRate,
            layout: outputLayout,
            samples: Int(room)
        )
        let input = frame.map { UnsafePointer($0.pointer) }
        let written =
            input.map { pointer in
                // swr_convert takes planes as `const uint8_t **`; the frame owns them and they are only read.
                pointer.pointee.extended_data.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 1) {
                    swr_convert(context, output.pointer.pointee.extended_data, room, $0, pointer.pointee.nb_samples)
                }
            } ?? swr_convert(context, output.pointer.pointee.extended_data, room, nil, 0)
        try check(written, "swr_convert", "\(inputRate) Hz to \(outputRate) Hz")
        guard written > 0 else { return nil }
        output.pointer.pointee.nb_samples = written
        return output
    }
}
