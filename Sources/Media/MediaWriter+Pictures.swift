internal import CFFmpeg
package import Timeline

extension MediaWriter {
    /// What a video track is to be.
    package struct Film: Sendable {
        /// libav's name of the encoder.
        package var encoder: String
        /// Options of the encoder.
        package var options: [String: String]
        /// The picture's width.
        package var width: Int
        /// The picture's height.
        package var height: Int
        /// Ticks a second; times are counted in them.
        package var rate: Rational
        /// The greatest number of frames from one keyframe to the next.
        package var keyframeInterval: Int
        /// The greatest number of B-frames in a row.
        package var bFrames: Int
        /// libav's name of the pixel format that is encoded.
        package var pixelFormat: String
        /// Degrees by which a player turns the picture, clockwise.
        package var rotation: Int
        /// The time of tick zero, in seconds.
        package var start: Rational
        /// The codec's four characters in the container; nil for libav's choice.
        package var tag: String?
        /// Bits a second; nil for the encoder's choice.
        package var bitsPerSecond: Int?

        /// A track with everything at its default but what every encoder needs.
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

    /// One picture, 8 bits a sample, colour at half the width and height, rows without gaps.
    package struct PicturePlanes: Sendable {
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

    /// Adds a video track.
    ///
    /// - Parameter film: What it is to be.
    /// - Returns: The track's number, for ``write(picture:tick:isKeyframe:track:)``.
    /// - Throws: ``MediaError`` when the encoder does not exist or refuses the settings.
    package func add(_ film: Film) throws(MediaError) -> Int {
        try addPictures(film, isArtwork: false)
    }

    /// Adds a cover picture; before ``begin()``, as containers keep it in their header.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - encoder: libav's name of the encoder, such as `mjpeg` or `png`.
    ///   - pixelFormat: libav's name of the pixel format that is encoded.
    /// - Throws: ``MediaError`` when the encoder does not exist or refuses the settings.
    package func addArtwork(_ picture: PicturePlanes, encoder: String, pixelFormat: String) throws(MediaError) {
        var film = Film(encoder: encoder, width: picture.width, height: picture.height, rate: Rational(25))
        film.pixelFormat = pixelFormat
        let number = try addPictures(film, isArtwork: true)
        tracks[number].stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
        av_dict_set(&tracks[number].stream.pointee.metadata, "comment", "Cover (front)", 0)
        try write(picture: picture, tick: 0, isKeyframe: true, track: number)
        try check(avcodec_send_frame(tracks[number].encoder, nil), "avcodec_send_frame", file)
    }

    private func addPictures(_ film: Film, isArtwork: Bool) throws(MediaError) -> Int {
        let encoder = try encoder(named: film.encoder)
        var owned: UnsafeMutablePointer<AVCodecContext>? = encoder
        defer { avcodec_free_context(&owned) }
        encoder.pointee.width = Int32(film.width)
        encoder.pointee.height = Int32(film.height)
        encoder.pointee.pix_fmt = av_get_pix_fmt(film.pixelFormat)
        guard encoder.pointee.pix_fmt != AV_PIX_FMT_NONE else {
            throw MediaError(call: "av_get_pix_fmt", file: file, message: "no pixel format \(film.pixelFormat)")
        }
        encoder.pointee.time_base = (Rational(1) / film.rate).libav
        encoder.pointee.framerate = film.rate.libav
        encoder.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        encoder.pointee.gop_size = Int32(film.keyframeInterval)
        encoder.pointee.max_b_frames = Int32(film.bFrames)
        if film.pixelFormat.hasPrefix("yuvj") { encoder.pointee.color_range = AVCOL_RANGE_JPEG }
        if let bitsPerSecond = film.bitsPerSecond { encoder.pointee.bit_rate = Int64(bitsPerSecond) }
        // Where an encoder knows these, forced keyframes become real ones, and no others are put in.
        av_opt_set(encoder, "forced-idr", "1", AV_OPT_SEARCH_CHILDREN)
        av_opt_set(encoder, "sc_threshold", "0", AV_OPT_SEARCH_CHILDREN)
        let stream = try open(encoder, options: film.options, tag: film.tag)
        stream.pointee.avg_frame_rate = film.rate.libav
        stream.pointee.sample_aspect_ratio = encoder.pointee.sample_aspect_ratio
        let track = WriterTrack(encoder: encoder, stream: stream, start: film.start, isArtwork: isArtwork)
        owned = nil
        tracks.append(track)
        if film.rotation != 0 { try rotate(stream, by: film.rotation) }
        try prepareScaler(track)
        return tracks.count - 1
    }

    private func rotate(_ stream: UnsafeMutablePointer<AVStream>, by degrees: Int) throws(MediaError) {
        guard let data = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * 4) else {
            throw MediaError(call: "av_stream_new_side_data", file: file, message: "no display matrix")
        }
        data.withMemoryRebound(to: Int32.self, capacity: 9) { av_display_rotation_set($0, Double(degrees)) }
    }

    private func prepareScaler(_ track: WriterTrack) throws(MediaError) {
        let encoder = track.encoder
        guard encoder.pointee.pix_fmt != AV_PIX_FMT_YUV420P else { return }
        track.scaler = sws_getContext(
            encoder.pointee.width,
            encoder.pointee.height,
            AV_PIX_FMT_YUV420P,
            encoder.pointee.width,
            encoder.pointee.height,
            encoder.pointee.pix_fmt,
            ffs_scaler_flags,
            nil,
            nil,
            nil
        )
        guard track.scaler != nil else {
            throw MediaError(call: "sws_getContext", file: file, message: "no conversion to this pixel format")
        }
    }

    /// Writes a picture.
    ///
    /// - Parameters:
    ///   - picture: The picture, of the track's size.
    ///   - tick: When it is due, in the track's ticks.
    ///   - isKeyframe: Whether it has to be a keyframe; others may be as well.
    ///   - track: The track's number.
    /// - Throws: ``MediaError`` when the encoder or the container fails.
    package func write(
        picture: PicturePlanes,
        tick: Int64,
        isKeyframe: Bool,
        track: Int
    ) throws(MediaError) {
        let track = tracks[track]
        let frame = track.frame
        av_frame_unref(frame)
        frame.pointee.width = track.encoder.pointee.width
        frame.pointee.height = track.encoder.pointee.height
        frame.pointee.format = track.encoder.pointee.pix_fmt.rawValue
        frame.pointee.color_range = track.encoder.pointee.color_range
        frame.pointee.pts = tick
        frame.pointee.pict_type = isKeyframe ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        try check(av_frame_get_buffer(frame, 0), "av_frame_get_buffer", file)
        let widths = [Int32(picture.width), Int32((picture.width + 1) / 2), Int32((picture.width + 1) / 2), 0]
        picture.luma.withUnsafeBufferPointer { luma in
            picture.blue.withUnsafeBufferPointer { blue in
                picture.red.withUnsafeBufferPointer { red in
                    var planes: [UnsafePointer<UInt8>?] = [luma.baseAddress, blue.baseAddress, red.baseAddress, nil]
                    copy(&planes, widths, to: frame, of: track)
                }
            }
        }
        try encode(frame, on: track)
    }

    private func copy(
        _ planes: inout [UnsafePointer<UInt8>?],
        _ widths: [Int32],
        to frame: UnsafeMutablePointer<AVFrame>,
        of track: WriterTrack
    ) {
        withUnsafeMutablePointer(to: &frame.pointee.linesize) { lines in
            lines.withMemoryRebound(to: Int32.self, capacity: 8) { lines in
                if let scaler = track.scaler {
                    sws_scale(scaler, &planes, widths, 0, frame.pointee.height, frame.pointee.extended_data, lines)
                } else {
                    av_image_copy(
                        frame.pointee.extended_data,
                        lines,
                        &planes,
                        widths,
                        AV_PIX_FMT_YUV420P,
                        frame.pointee.width,
                        frame.pointee.height
                    )
                }
            }
        }
    }

    /// Adds a chapter.
    ///
    /// - Parameters:
    ///   - start: Where it begins, in seconds.
    ///   - end: Where it ends, in seconds.
    ///   - title: What it is called.
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
