internal import SegueFFmpeg

/// Converts decoded audio to one sample rate and channel layout.
final class OutputConversion {
    let rate: Int
    let layout: ChannelLayout
    private let floats = PlanarFloats()
    private var resampler: (value: Resampler, format: String, rate: Int, layout: String)?

    /// Creates a conversion to a rate in hertz.
    init(rate: Int, layout: ChannelLayout) { (self.rate, self.layout) = (rate, layout) }

    /// Passes the converted frames to `give`, first the rest of audio in an earlier format.
    func convert(_ frame: Frame, _ give: (Frame) -> Void) throws {
        let frameLayout = frame.layout
        let isRight = frame.sampleRate == rate && frameLayout.channels == layout.channels
        guard !isRight || resampler != nil else { return give(frame) }
        let format = frame.sampleFormat ?? ""
        if let resampler,
            resampler.format != format || resampler.rate != frame.sampleRate || resampler.layout != frameLayout.name
        {
            if let rest = try resampler.value.convert(nil) { give(rest) }
            self.resampler = nil
        }
        if resampler == nil {
            let made = try Resampler(
                from: .init(rate: frame.sampleRate, layout: frameLayout, sampleFormat: format),
                to: .init(rate: rate, layout: layout, sampleFormat: "fltp")
            )
            resampler = (made, format, frame.sampleRate, frameLayout.name)
        }
        if let converted = try resampler?.value.convert(frame) { give(converted) }
    }

    /// Returns the audio that is still being converted, at the end or before a hole.
    func rest() throws -> Frame? {
        defer { resampler = nil }
        return try resampler?.value.convert(nil)
    }

    /// Returns the samples of a converted frame by channel.
    func samples(of frame: Frame) throws -> [[Float]] { try floats.samples(of: frame) }
}
