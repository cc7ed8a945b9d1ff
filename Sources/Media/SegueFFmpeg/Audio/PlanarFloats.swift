/// Converts decoded frames of any sample format to floats from -1 to 1.
package final class PlanarFloats {
    private var resampler: Resampler?
    private var source: (format: String, rate: Int, layout: String) = ("", 0, "")

    package init() {}

    /// Returns the samples of a frame, one array per channel; throws if libswresample cannot convert the format.
    package func samples(of frame: Frame) throws(MediaError) -> [[Float]] {
        guard frame.sampleCount > 0, let format = frame.sampleFormat else { return [] }
        guard format != "fltp" else { return planes(of: frame) }
        let layout = frame.layout
        let now = (format: format, rate: frame.sampleRate, layout: layout.name)
        if resampler == nil || now != source {
            resampler = try Resampler(
                from: .init(rate: frame.sampleRate, layout: layout, sampleFormat: format),
                to: .init(rate: frame.sampleRate, layout: layout, sampleFormat: "fltp")
            )
            source = now
        }
        guard let converted = try resampler?.convert(frame) else { return [] }
        return planes(of: converted)
    }

    private func planes(of frame: Frame) -> [[Float]] {
        (0..<frame.channels).map { channel in
            guard let plane = frame.plane(channel) else { return [] }
            return plane.withMemoryRebound(to: Float.self, capacity: frame.sampleCount) {
                [Float](UnsafeBufferPointer(start: $0, count: frame.sampleCount))
            }
        }
    }
}
