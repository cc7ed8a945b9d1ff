internal import SegueConcurrency
import CSegueFFmpeg

/// A single-threaded chain of libav filters.
///
/// All input frames share size, pixel format, and pixel aspect ratio; a change requires a new chain.
package final class VideoFilter {
    private let graph: UnsafeMutablePointer<AVFilterGraph>
    private let source: UnsafeMutablePointer<AVFilterContext>
    private let sink: UnsafeMutablePointer<AVFilterContext>
    private let filters: String

    /// Builds a chain.
    ///
    /// - Parameters:
    ///   - filters: The chain in libav's syntax (`bwdif,scale=640:360,format=yuv420p`), with one input and one output.
    ///   - example: A sample input frame.
    /// - Throws: ``MediaError`` if a filter is missing or rejects its input.
    package init(_ filters: String, for example: Frame) throws(MediaError) {
        startLibAV()
        try loadFilters()
        guard let graph = avfilter_graph_alloc() else { endWithoutMemory() }
        graph.pointee.nb_threads = 1
        do throws(MediaError) {
            (source, sink) = try VideoFilter.connect(filters, for: example, in: graph)
        } catch {
            var freed: UnsafeMutablePointer<AVFilterGraph>? = graph
            avfilter_graph_free(&freed)
            throw error
        }
        self.graph = graph
        self.filters = filters
    }

    deinit {
        var freed: UnsafeMutablePointer<AVFilterGraph>? = graph
        avfilter_graph_free(&freed)
    }

    /// Sends a frame (nil signals the end) and passes each output frame to `body`, which owns it.
    package func send(_ frame: Frame?, _ body: (Frame) throws -> Void) throws {
        let flags = Int32(AV_BUFFERSRC_FLAG_KEEP_REF)
        try check(
            av_buffersrc_add_frame_flags(source, frame?.pointer, flags),
            call: "av_buffersrc_add_frame",
            file: filters
        )
        while true {
            let output = Frame()
            let code = av_buffersink_get_frame(sink, output.pointer)
            if code == ffs_error_again || code == ffs_error_eof { return }
            try check(code, call: "av_buffersink_get_frame", file: filters)
            try body(output)
        }
    }

    private typealias Ends = (UnsafeMutablePointer<AVFilterContext>, UnsafeMutablePointer<AVFilterContext>)

    private static func connect(
        _ filters: String,
        for example: Frame,
        in graph: UnsafeMutablePointer<AVFilterGraph>
    ) throws(MediaError) -> Ends {
        let image = example.pointer.pointee
        let aspect = image.sample_aspect_ratio
        let arguments =
            "video_size=\(image.width)x\(image.height):pix_fmt=\(image.format):time_base=1/1000:"
            + "pixel_aspect=\(max(0, aspect.num))/\(max(1, aspect.den))"
        let source = try end("buffer", label: "in", arguments: arguments, graph: graph, filters: filters)
        let sink = try end("buffersink", label: "out", arguments: nil, graph: graph, filters: filters)
        var inputs = avfilter_inout_alloc()
        var outputs = avfilter_inout_alloc()
        defer {
            avfilter_inout_free(&inputs)
            avfilter_inout_free(&outputs)
        }
        guard inputs != nil, outputs != nil else { endWithoutMemory() }
        outputs?.pointee.name = av_strdup("in")
        outputs?.pointee.filter_ctx = source
        inputs?.pointee.name = av_strdup("out")
        inputs?.pointee.filter_ctx = sink
        try check(
            avfilter_graph_parse_ptr(graph, filters, &inputs, &outputs, nil),
            call: "avfilter_graph_parse_ptr",
            file: filters
        )
        try check(avfilter_graph_config(graph, nil), call: "avfilter_graph_config", file: filters)
        return (source, sink)
    }

    private static func end(
        _ name: String,
        label: String,
        arguments: String?,
        graph: UnsafeMutablePointer<AVFilterGraph>,
        filters: String
    ) throws(MediaError) -> UnsafeMutablePointer<AVFilterContext> {
        var made: UnsafeMutablePointer<AVFilterContext>?
        let code = avfilter_graph_create_filter(&made, avfilter_get_by_name(name), label, arguments, nil, graph)
        try check(code, call: "avfilter_graph_create_filter", file: filters)
        guard let made else { throw MediaError(call: "avfilter_graph_create_filter", file: filters, message: name) }
        return made
    }
}
