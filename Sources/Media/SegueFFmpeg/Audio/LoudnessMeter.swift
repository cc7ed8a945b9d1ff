internal import SegueConcurrency
import CSegueFFmpeg

/// An EBU R 128 (ITU-R BS.1770) loudness meter based on libavfilter's `ebur128`.
package final class LoudnessMeter {
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    private var rate = 0
    private var layout = ""
    private var format = ""
    private var heard: Int64 = 0
    private var loudness: Double?

    package init() { startLibAV() }

    deinit { avfilter_graph_free(&graph) }

    /// Feeds samples from -1 to 1 in planar order; the rate must not change between calls.
    package func hear(_ samples: [[Float]], rate: Int) throws {
        try hear(try Frame(planes: samples, rate: rate))
    }

    /// Feeds a decoded frame and empties it; rate, channels, and format must not change between calls.
    package func hear(_ frame: Frame) throws {
        guard frame.sampleCount > 0, let format = frame.sampleFormat else { return }
        let layout = frame.layout.name
        if graph == nil {
            (rate, self.layout, self.format) = (frame.sampleRate, layout, format)
            try open()
        }
        guard frame.sampleRate == rate, layout == self.layout, format == self.format else {
            throw MediaError(call: "ebur128", file: "loudness", message: "the sample rate or channel layout changed")
        }
        frame.pts = heard
        heard += Int64(frame.sampleCount)
        try push(frame)
    }

    /// The gated integrated loudness in LUFS; nil for silence or less than 0.4 s of audio.
    package func integrated() throws -> Double? {
        guard graph != nil, heard * 10 >= Int64(rate) * 4 else { return nil }
        try push(nil)
        // `ebur128` reports silence as -70 LUFS.
        return loudness.flatMap { $0 > -70 ? $0 : nil }
    }

    private func push(_ frame: Frame?) throws {
        try check(
            av_buffersrc_add_frame_flags(source, frame?.pointer, 0),
            call: "av_buffersrc_add_frame",
            file: "loudness"
        )
        while true {
            let output = Frame()
            let code = av_buffersink_get_frame(sink, output.pointer)
            if code == ffs_error_again || code == ffs_error_eof { return }
            try check(code, call: "av_buffersink_get_frame", file: "loudness")
            if let entry = av_dict_get(output.pointer.pointee.metadata, "lavfi.r128.I", nil, 0) {
                loudness = Double(String(cString: entry.pointee.value))
            }
        }
    }

    private func open() throws(MediaError) {
        try loadFilters()
        guard let made = avfilter_graph_alloc() else { endWithoutMemory() }
        made.pointee.nb_threads = 1
        graph = made
        let settings = "sample_rate=\(rate):sample_fmt=\(format):channel_layout=\(layout):time_base=1/\(rate)"
        source = try filter("abuffer", settings, in: made)
        let meter = try filter("ebur128", "metadata=1:framelog=verbose", in: made)
        let format = try filter("aformat", "sample_fmts=dbl", in: made)
        sink = try filter("abuffersink", nil, in: made)
        try check(avfilter_link(source, 0, format, 0), call: "avfilter_link", file: "loudness")
        try check(avfilter_link(format, 0, meter, 0), call: "avfilter_link", file: "loudness")
        try check(avfilter_link(meter, 0, sink, 0), call: "avfilter_link", file: "loudness")
        try check(avfilter_graph_config(made, nil), call: "avfilter_graph_config", file: "loudness")
    }

    private func filter(
        _ name: String,
        _ settings: String?,
        in graph: UnsafeMutablePointer<AVFilterGraph>
    ) throws(MediaError) -> UnsafeMutablePointer<AVFilterContext>? {
        guard let found = avfilter_get_by_name(name) else {
            throw MediaError(
                call: "avfilter_get_by_name",
                file: name,
                message: "libavfilter was built without the filter \(name)"
            )
        }
        var made: UnsafeMutablePointer<AVFilterContext>?
        try check(
            avfilter_graph_create_filter(&made, found, name, settings, nil, graph),
            call: "avfilter_graph_create_filter",
            file: name
        )
        return made
    }
}
