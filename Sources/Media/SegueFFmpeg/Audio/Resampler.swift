internal import CSegueFFmpeg

/// A converter of sample rate, channels, and sample format.
package final class Resampler {
    private let context: OpaquePointer
    private let inputChannels: Int
    private let inputFormat: Int
    package let inputRate: Int
    package let outputRate: Int
    package let outputLayout: ChannelLayout
    package let outputFormat: String

    /// The format of samples.
    package struct Format {
        let rate: Int
        let layout: ChannelLayout
        let sampleFormat: String

        /// `rate` is in hertz; `sampleFormat` is libav's name.
        package init(rate: Int, layout: ChannelLayout, sampleFormat: String) {
            (self.rate, self.layout, self.sampleFormat) = (rate, layout, sampleFormat)
        }
    }

    /// Sets up a conversion.
    ///
    /// Downmixing preserves full scale, also for floating-point samples.
    ///
    /// - Parameters:
    ///   - input: The format of the input.
    ///   - output: The format of the output.
    /// - Throws: ``MediaError`` if libswresample does not support the conversion.
    package init(
        from input: Format,
        to output: Format,
        options: [String: String] = [:]
    ) throws(MediaError) {
        startLibAV()
        var made: OpaquePointer?
        var code = swr_alloc_set_opts2(
            &made,
            output.layout.pointer,
            av_get_sample_fmt(output.sampleFormat),
            Int32(output.rate),
            input.layout.pointer,
            av_get_sample_fmt(input.sampleFormat),
            Int32(input.rate),
            0,
            nil
        )
        if code >= 0, let made {
            let mixing = ["rematrix_maxval": "1.0"].merging(options) { $1 }
            for (key, value) in mixing.sorted(by: { $0.key < $1.key }) where code >= 0 {
                code = av_opt_set(UnsafeMutableRawPointer(made), key, value, 0)
            }
            if code >= 0 { code = swr_init(made) }
        }
        guard code >= 0, let context = made else {
            swr_free(&made)
            let words = "\(input.rate) Hz \(input.layout.name) \(input.sampleFormat)"
            throw MediaError(call: "swr_init", file: words, code: code)
        }
        self.context = context
        inputChannels = input.layout.channels
        inputFormat = Int(av_get_sample_fmt(input.sampleFormat).rawValue)
        inputRate = input.rate
        (outputRate, outputLayout, outputFormat) = (output.rate, output.layout, output.sampleFormat)
    }

    deinit {
        var freed: OpaquePointer? = context
        swr_free(&freed)
    }

    /// Converts a frame and returns the output without a timestamp, or nil if none is ready; a nil frame drains the
    /// filter.
    package func convert(_ frame: Frame?) throws(MediaError) -> Frame? {
        if let frame {
            guard frame.channels == inputChannels, frame.format == inputFormat, frame.sampleRate == inputRate else {
                throw MediaError(
                    call: "swr_convert",
                    file: "\(frame.sampleRate) Hz, \(frame.channels) channels",
                    message: "the frame's format differs from the resampler's input format"
                )
            }
        }
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
        try check(written, call: "swr_convert", file: "\(inputRate) Hz to \(outputRate) Hz")
        guard written > 0 else { return nil }
        output.pointer.pointee.nb_samples = written
        return output
    }
}
