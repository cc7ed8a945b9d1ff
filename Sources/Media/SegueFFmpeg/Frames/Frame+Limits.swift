internal import CSegueFFmpeg

extension Frame {
    /// The sample magnitude limit: 80 dB above full scale.
    private static let limit = 10_000.0

    /// Replaces non-finite samples with silence and limits the others.
    ///
    /// A single NaN spreads through resamplers, and encoders reject it.
    ///
    /// - Throws: ``MediaError`` if memory for a copy of a shared frame cannot be allocated.
    func limitSamples() throws(MediaError) {
        switch AVSampleFormat(rawValue: pointer.pointee.format) {
        case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP: try limit(Float.self)
        case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP: try limit(Double.self)
        default: return
        }
    }

    private func limit<Sample: BinaryFloatingPoint>(_ type: Sample.Type) throws(MediaError) {
        let samples = Int(pointer.pointee.nb_samples)
        let isPlanar = av_sample_fmt_is_planar(AVSampleFormat(rawValue: pointer.pointee.format)) == 1
        let planes = isPlanar ? channels : 1
        let count = isPlanar ? samples : samples * channels
        let limit = Sample(Frame.limit)
        for plane in 0..<planes {
            guard let bytes = pointer.pointee.extended_data[plane] else { continue }
            let isWild = bytes.withMemoryRebound(to: Sample.self, capacity: count) { values in
                (0..<count).contains { !(values[$0].magnitude <= limit) }
            }
            guard isWild else { continue }
            try check(av_frame_make_writable(pointer), call: "av_frame_make_writable", file: "frame")
            guard let own = pointer.pointee.extended_data[plane] else { continue }
            own.withMemoryRebound(to: Sample.self, capacity: count) { values in
                for index in 0..<count where !(values[index].magnitude <= limit) {
                    values[index] = values[index].isNaN ? 0 : values[index] < 0 ? -limit : limit
                }
            }
        }
    }
}
