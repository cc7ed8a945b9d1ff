internal import CSegueFFmpeg

/// Changes the rate, the channels or the format of samples.
package final class Resampler {
    private let context: OpaquePointer
    private let inputChannels: Int
    private let inputFormat: Int
    /// Samples per second going in.
    package let inputRate: Int
    /// Samples per second coming out.
    package let outputRate: Int
    /// The channels coming out.
    package let outputLayout: ChannelLayout
    /// libav's name of the sample format coming out.
    package let outputFormat: String

    /// Sets up a conversion.
    ///
    /// Channels are mixed down so that full scale stays full scale, for floating-point samples too.
    ///
    /// - Parameters:
    ///   - inputRate: Samples per second going in.
    ///   - inputLayout: The channels going in.
    ///   - inputFormat: libav's name of the sample format going in.
    ///   - outputRate: Samples per second coming out.
    ///   - outputLayout: The channels coming out.
    ///   - outputFormat: libav's name of the sample format coming out.
    ///   - options: libswresample's options.
    /// - Throws: ``MediaError`` if libswresample cannot do it.
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
            let mixing = ["rematrix_maxval": "1.0"].merging(options) { $1 }
            for (key, value) in mixing.sorted(by: { $0.key < $1.key }) where code >= 0 {
                code = av_opt_set(UnsafeMutableRawPointer(made), key, value, 0)
            }
            if code >= 0 { code = swr_init(made) }
        }
        guard code >= 0, let context = made else {
            swr_free(&made)
            throw MediaError(call: "swr_init", file: "\(inputRate) Hz \(inputLayout.name) \(inputFormat)", code: code)
        }
        self.context = context
        inputChannels = inputLayout.channels
        self.inputFormat = Int(av_get_sample_fmt(inputFormat).rawValue)
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
    /// - Throws: ``MediaError``, also for a frame that is not of the format going in.
    package func convert(_ frame: Frame?) throws(MediaError) -> Frame? {
        if let frame {
            guard frame.channels == inputChannels, frame.format == inputFormat, frame.sampleRate == inputRate else {
                throw MediaError(
                    call: "swr_convert",
                    file: "\(frame.sampleRate) Hz, \(frame.channels) channels",
                    message: "not what the conversion was set up for"
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
