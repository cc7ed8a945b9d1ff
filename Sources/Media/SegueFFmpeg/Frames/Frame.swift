internal import SegueConcurrency
import CSegueFFmpeg

/// One decoded frame: a frame or a run of samples.
package final class Frame {
    let pointer: UnsafeMutablePointer<AVFrame>

    /// An empty frame, to be filled by a decoder.
    package init() {
        guard let made = av_frame_alloc() else { endWithoutMemory() }
        pointer = made
    }

    /// A writable frame for samples, silent where the format's zero is silence.
    ///
    /// - Parameters:
    ///   - sampleFormat: libav's name (`s16`, `fltp`).
    ///   - sampleRate: Samples per second.
    ///   - layout: The channels.
    ///   - samples: The number of samples a channel.
    /// - Throws: ``MediaError`` if there is no memory for it or the format is unknown.
    package convenience init(
        sampleFormat: String,
        sampleRate: Int,
        layout: ChannelLayout,
        samples: Int
    ) throws(MediaError) {
        self.init()
        let format = av_get_sample_fmt(sampleFormat)
        pointer.pointee.format = format.rawValue
        pointer.pointee.sample_rate = Int32(sampleRate)
        pointer.pointee.nb_samples = Int32(samples)
        try check(
            av_channel_layout_copy(&pointer.pointee.ch_layout, layout.pointer),
            call: "av_channel_layout_copy",
            file: "frame"
        )
        try check(av_frame_get_buffer(pointer, 0), call: "av_frame_get_buffer", file: "frame")
        av_samples_set_silence(
            pointer.pointee.extended_data,
            0,
            Int32(samples),
            Int32(layout.channels),
            format
        )
    }

    /// A writable frame; its pixels are whatever the memory held.
    package convenience init(pixelFormat: String, width: Int, height: Int) throws(MediaError) {
        self.init()
        pointer.pointee.format = av_get_pix_fmt(pixelFormat).rawValue
        pointer.pointee.width = Int32(width)
        pointer.pointee.height = Int32(height)
        try check(av_frame_get_buffer(pointer, 0), call: "av_frame_get_buffer", file: "frame")
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&pointer)
    }

    /// When it is presented, in the time base of what made it.
    package var pts: Int64? {
        get { pointer.pointee.pts == ffs_no_timestamp ? nil : pointer.pointee.pts }
        set { pointer.pointee.pts = newValue ?? ffs_no_timestamp }
    }

    /// libav's best guess of when it is presented, where `pts` is missing or wrong.
    package var bestEffortTimestamp: Int64? {
        let time = pointer.pointee.best_effort_timestamp
        return time == ffs_no_timestamp ? nil : time
    }

    /// Samples a channel; 0 for a frame.
    package var sampleCount: Int { Int(pointer.pointee.nb_samples) }
    /// Samples per second; 0 for a frame.
    package var sampleRate: Int { Int(pointer.pointee.sample_rate) }
    /// The number of channels; 0 for a frame.
    package var channels: Int { Int(pointer.pointee.ch_layout.nb_channels) }
    /// A copy of the channel layout.
    package var layout: ChannelLayout { ChannelLayout(copying: &pointer.pointee.ch_layout) }
    /// libav's number of the sample or pixel format.
    package var format: Int { Int(pointer.pointee.format) }
    /// libav's name of the sample format.
    package var sampleFormat: String? {
        av_get_sample_fmt_name(AVSampleFormat(rawValue: pointer.pointee.format)).map { String(cString: $0) }
    }
    /// Frame width in pixels.
    package var width: Int { Int(pointer.pointee.width) }
    /// Frame height in pixels.
    package var height: Int { Int(pointer.pointee.height) }
    /// libav's name of the pixel format.
    package var pixelFormat: String? {
        av_get_pix_fmt_name(AVPixelFormat(rawValue: pointer.pointee.format)).map { String(cString: $0) }
    }
    /// True if the frame is an intra frame.
    package var isKey: Bool { pointer.pointee.key_frame != 0 }
    /// What the decoder was given with the packet that this came from.
    package var opaque: Int64 { pointer.pointee.reordered_opaque }
    /// True if the decoder saw damage in it.
    package var isDamaged: Bool {
        pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    /// A checksum of the pixels (without padding), for comparing frames.
    package var pictureChecksum: UInt32 { ffs_picture_checksum(pointer) }

    /// Bytes from one line of a frame's plane to the next.
    package func lineSize(plane: Int) -> Int {
        withUnsafePointer(to: &pointer.pointee.linesize) {
            $0.withMemoryRebound(to: Int32.self, capacity: 8) { Int($0[plane]) }
        }
    }

    /// The memory of a plane: samples of a channel (planar formats), of all (packed ones), or a frame's lines.
    ///
    /// Valid while the frame lives and is not filled again.
    package func plane(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
        guard let planes = pointer.pointee.extended_data, index >= 0 else { return nil }
        return planes[index]
    }

    /// Makes the memory this frame's own, so that writing into it changes nobody else's.
    package func makeWritable() throws(MediaError) {
        try check(av_frame_make_writable(pointer), call: "av_frame_make_writable", file: "frame")
    }

    /// Forgets the content.
    package func clear() { av_frame_unref(pointer) }
}

extension Frame {
    /// Another frame with the same content.
    package func shared() throws(MediaError) -> Frame {
        let other = Frame()
        try check(av_frame_ref(other.pointer, pointer), call: "av_frame_ref", file: "frame")
        return other
    }

    /// Of a frame the middle one of every few lines, sharing its memory; the frame itself where its format does not
    /// allow that.
    ///
    /// - Parameter step: The number of lines, odd, so that of interlaced frames both fields are there.
    /// - Returns: The frame with fewer lines.
    /// - Throws: ``MediaError`` if there is no memory for it.
    package func keepingLines(every step: Int) throws(MediaError) -> Frame {
        guard step > 1, step < height else { return self }
        let other = try shared()
        return ffs_keep_lines(other.pointer, Int32(step)) != 0 ? other : self
    }

    /// Hands the content over to a frame of its own; this one is empty afterwards.
    package func taken() -> Frame {
        let other = Frame()
        av_frame_move_ref(other.pointer, pointer)
        return other
    }

    /// The samples after the first few, in a frame of their own.
    package func dropping(first count: Int) throws(MediaError) -> Frame {
        guard count > 0 else { return self }
        let left = max(0, sampleCount - count)
        let rest = try Frame(sampleFormat: sampleFormat ?? "", sampleRate: sampleRate, layout: layout, samples: left)
        av_samples_copy(
            rest.pointer.pointee.extended_data,
            pointer.pointee.extended_data,
            0,
            Int32(count),
            Int32(left),
            Int32(channels),
            AVSampleFormat(rawValue: pointer.pointee.format)
        )
        return rest
    }
}
