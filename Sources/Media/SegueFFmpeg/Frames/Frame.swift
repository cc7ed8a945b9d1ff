internal import SegueConcurrency
import CSegueFFmpeg

/// A decoded video or audio frame.
package final class Frame {
    let pointer: UnsafeMutablePointer<AVFrame>

    /// Creates an empty frame, for a decoder to fill.
    package init() {
        guard let made = av_frame_alloc() else { endWithoutMemory() }
        pointer = made
    }

    /// Creates a writable audio frame, silent if zero means silence in the format.
    ///
    /// - Parameters:
    ///   - sampleFormat: libav's name (`s16`, `fltp`).
    ///   - samples: The number of samples per channel.
    /// - Throws: ``MediaError`` if memory cannot be allocated or the format is unknown.
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

    /// Creates a writable video frame with uninitialized pixels.
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

    /// The presentation timestamp, in the time base of the producer.
    package var pts: Int64? {
        get { pointer.pointee.pts == ffs_no_timestamp ? nil : pointer.pointee.pts }
        set { pointer.pointee.pts = newValue ?? ffs_no_timestamp }
    }

    /// libav's best estimate of the presentation timestamp, if `pts` is missing or wrong.
    package var bestEffortTimestamp: Int64? {
        let time = pointer.pointee.best_effort_timestamp
        return time == ffs_no_timestamp ? nil : time
    }

    /// Samples per channel; 0 for video.
    package var sampleCount: Int { Int(pointer.pointee.nb_samples) }
    /// Samples per second; 0 for video.
    package var sampleRate: Int { Int(pointer.pointee.sample_rate) }
    /// The number of channels; 0 for video.
    package var channels: Int { Int(pointer.pointee.ch_layout.nb_channels) }
    package var layout: ChannelLayout { ChannelLayout(copying: &pointer.pointee.ch_layout) }
    /// libav's number for the sample or pixel format.
    package var format: Int { Int(pointer.pointee.format) }
    package var sampleFormat: String? {
        av_get_sample_fmt_name(AVSampleFormat(rawValue: pointer.pointee.format)).map { String(cString: $0) }
    }
    package var width: Int { Int(pointer.pointee.width) }
    package var height: Int { Int(pointer.pointee.height) }
    package var pixelFormat: String? {
        av_get_pix_fmt_name(AVPixelFormat(rawValue: pointer.pointee.format)).map { String(cString: $0) }
    }
    /// True for an intra-coded frame.
    package var isKey: Bool { pointer.pointee.key_frame != 0 }
    /// The value passed to the decoder with the packet.
    package var opaque: Int64 { pointer.pointee.reordered_opaque }
    /// True if the decoder detected damage.
    package var isDamaged: Bool {
        pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    /// A checksum of the pixels, without padding.
    package var pictureChecksum: UInt32 { ffs_picture_checksum(pointer) }

    /// The distance between lines of a plane, in bytes.
    package func lineSize(plane: Int) -> Int {
        withUnsafePointer(to: &pointer.pointee.linesize) {
            $0.withMemoryRebound(to: Int32.self, capacity: 8) { Int($0[plane]) }
        }
    }

    /// The memory of a plane: one channel (planar audio), all channels (packed audio), or image lines.
    ///
    /// It is valid until the frame is freed or reused.
    package func plane(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
        guard let planes = pointer.pointee.extended_data, index >= 0 else { return nil }
        return planes[index]
    }

    /// Discards the content.
    package func clear() { av_frame_unref(pointer) }
}

extension Frame {
    /// Returns another frame that shares the content.
    package func shared() throws(MediaError) -> Frame {
        let other = Frame()
        try check(av_frame_ref(other.pointer, pointer), call: "av_frame_ref", file: "frame")
        return other
    }

    /// Returns a frame with the middle one of every `step` lines (odd, to sample both fields), sharing memory; the
    /// frame itself if its format does not support that.
    package func keepingLines(every step: Int) throws(MediaError) -> Frame {
        guard step > 1, step < height else { return self }
        let other = try shared()
        return ffs_keep_lines(other.pointer, Int32(step)) != 0 ? other : self
    }

    /// Moves the content to a new frame; this one is empty afterwards.
    package func taken() -> Frame {
        let other = Frame()
        av_frame_move_ref(other.pointer, pointer)
        return other
    }

    /// Returns a frame without the first samples.
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
