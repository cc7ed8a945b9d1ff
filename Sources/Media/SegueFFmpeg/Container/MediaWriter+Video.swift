internal import CSegueFFmpeg
package import SegueBase

extension MediaWriter {
    /// The settings of a video track.
    package struct Film: Sendable, Equatable {
        /// libav's name of the encoder.
        package var encoder: String
        /// Options of the encoder.
        package var options: [String: String]
        package var width: Int
        package var height: Int
        /// Ticks per second; timestamps count ticks.
        package var rate: Rational
        /// The maximum keyframe distance, in frames.
        package var keyframeInterval: Int
        /// The maximum number of consecutive B-frames.
        package var bFrames: Int
        /// libav's name of the encoded pixel format.
        package var pixelFormat: String
        /// The clockwise display rotation, in degrees.
        package var rotation: Int
        /// The time of tick zero, in seconds.
        package var start: Rational
        /// The codec's four-character code in the container; nil for libav's choice.
        package var tag: String?
        /// Bits per second; nil for the encoder's default.
        package var bitsPerSecond: Int?

        /// Creates settings with defaults for everything optional.
        package init(encoder: String, width: Int, height: Int, rate: Rational) {
            self.encoder = encoder
            self.width = width
            self.height = height
            self.rate = rate
            options = [:]
            keyframeInterval = 50
            bFrames = 0
            pixelFormat = "yuv420p"
            rotation = 0
            start = .zero
        }
    }

    /// An 8-bit frame with chroma at half width and height, and rows without padding.
    package struct VideoPlanes: Sendable {
        package var width: Int
        package var height: Int
        package var luma: [UInt8]
        package var blue: [UInt8]
        package var red: [UInt8]

        package init(width: Int, height: Int, luma: [UInt8], blue: [UInt8], red: [UInt8]) {
            self.width = width
            self.height = height
            self.luma = luma
            self.blue = blue
            self.red = red
        }
    }

    /// Adds a video track and returns its number for ``write(image:tick:isKeyframe:track:)``.
    package func add(_ film: Film) throws(MediaError) -> Int {
        try addVideo(film, isArtwork: false)
    }

    /// Adds a cover image; call before ``begin()``, because containers store it in the header.
    ///
    /// - Parameters:
    ///   - encoder: libav's name of the encoder, such as `mjpeg` or `png`.
    ///   - pixelFormat: libav's name of the encoded pixel format.
    /// - Throws: ``MediaError`` if the encoder is missing or rejects the settings.
    package func addArtwork(_ image: VideoPlanes, encoder: String, pixelFormat: String) throws(MediaError) {
        var film = Film(encoder: encoder, width: image.width, height: image.height, rate: Rational(25))
        film.pixelFormat = pixelFormat
        let number = try addVideo(film, isArtwork: true)
        tracks[number].stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
        av_dict_set(&tracks[number].stream.pointee.metadata, "comment", "Cover (front)", 0)
        try write(image: image, tick: 0, isKeyframe: true, track: number)
        try tracks[number].encoder.send(nil)
    }

    private func addVideo(_ film: Film, isArtwork: Bool) throws(MediaError) -> Int {
        let encoder = try encoder(named: film.encoder, options: film.options) { (context, _) throws(MediaError) in
            context.pointee.width = Int32(film.width)
            context.pointee.height = Int32(film.height)
            context.pointee.pix_fmt = av_get_pix_fmt(film.pixelFormat)
            guard context.pointee.pix_fmt != AV_PIX_FMT_NONE else {
                throw MediaError(
                    call: "av_get_pix_fmt",
                    file: file,
                    message: "unknown pixel format \(film.pixelFormat)"
                )
            }
            context.pointee.time_base = (Rational(1) / film.rate).libav
            context.pointee.framerate = film.rate.libav
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.gop_size = Int32(film.keyframeInterval)
            context.pointee.max_b_frames = Int32(film.bFrames)
            if film.pixelFormat.hasPrefix("yuvj") { context.pointee.color_range = AVCOL_RANGE_JPEG }
            if let bitsPerSecond = film.bitsPerSecond { context.pointee.bit_rate = Int64(bitsPerSecond) }
            // Supporting encoders turn forced keyframes into IDR frames and insert no others.
            av_opt_set(context, "forced-idr", "1", AV_OPT_SEARCH_CHILDREN)
            av_opt_set(context, "sc_threshold", "0", AV_OPT_SEARCH_CHILDREN)
        }
        let stream = try addStream(of: encoder, tag: film.tag)
        stream.pointee.avg_frame_rate = film.rate.libav
        stream.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
        let track = WriterTrack(encoder: encoder, stream: stream, start: film.start, isArtwork: isArtwork)
        tracks.append(track)
        if film.rotation != 0 { try rotate(stream, by: film.rotation) }
        if encoder.context.pointee.pix_fmt != AV_PIX_FMT_YUV420P {
            track.scaler = try Scaler(
                from: .init(width: film.width, height: film.height, pixelFormat: "yuv420p"),
                to: .init(width: film.width, height: film.height, pixelFormat: film.pixelFormat),
                by: .nearest
            )
        }
        return tracks.count - 1
    }

    private func rotate(_ stream: UnsafeMutablePointer<AVStream>, by degrees: Int) throws(MediaError) {
        guard let data = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * 4) else {
            throw MediaError(
                call: "av_stream_new_side_data",
                file: file,
                message: "could not allocate the display matrix"
            )
        }
        data.withMemoryRebound(to: Int32.self, capacity: 9) { av_display_rotation_set($0, Double(degrees)) }
    }

    /// Writes a frame of the track's size, due at `tick`; `isKeyframe` forces a keyframe.
    package func write(
        image: VideoPlanes,
        tick: Int64,
        isKeyframe: Bool,
        track: Int
    ) throws(MediaError) {
        let track = tracks[track]
        let given = try Frame(image)
        let frame = try track.scaler?.convert(given) ?? given
        frame.pointer.pointee.color_range = track.encoder.context.pointee.color_range
        frame.pts = tick
        frame.pointer.pointee.pict_type = isKeyframe ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        try encode(frame, on: track)
    }

    /// Adds a chapter; times are in seconds.
    package func addChapter(start: Rational, end: Rational, title: String) {
        ffs_add_chapter(
            context,
            Int64(context.pointee.nb_chapters),
            start.rounded(scale: 1000),
            end.rounded(scale: 1000),
            title
        )
    }
}

extension Frame {
    fileprivate convenience init(_ image: MediaWriter.VideoPlanes) throws(MediaError) {
        try self.init(pixelFormat: "yuv420p", width: image.width, height: image.height)
        let widths = [image.width, (image.width + 1) / 2, (image.width + 1) / 2]
        for (number, samples) in [image.luma, image.blue, image.red].enumerated() {
            guard let plane = plane(number) else { continue }
            samples.withUnsafeBufferPointer { samples in
                for row in 0..<samples.count / widths[number] {
                    guard let first = samples.baseAddress else { return }
                    (plane + row * lineSize(plane: number)).update(
                        from: first + row * widths[number],
                        count: widths[number]
                    )
                }
            }
        }
    }
}
