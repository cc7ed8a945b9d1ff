package import SegueConcurrency
internal import SegueBase

/// A JPEG thumbnail maker.
package enum Thumbnail {
    /// The maximum number of packets read for an image.
    private static let mostPackets = 400
    /// The seek positions, in percent of the duration; the beginning often shows titles.
    private static let places: [Int64] = [20, 35, 50, 10, 2]
    /// The mean brightness above which an image is not black.
    private static let leastBrightness = 24

    /// Scales a JPEG or PNG image down to a width, as JPEG; nil if it is not wider; throws ``MediaError`` if it is too
    /// large or not an image.
    package static func jpeg(of bytes: [UInt8], width: Int, cancellation: Cancellation) throws -> [UInt8]? {
        let isPNG = bytes.first == 0x89
        let input = try MediaInput(
            bytes: bytes,
            name: "image",
            format: isPNG ? "png_pipe" : "jpeg_pipe",
            cancellation: cancellation
        )
        guard let stream = input.streams.first, stream.width > 0, stream.height > 0 else { throw nothing("image") }
        if stream.width <= width { return nil }
        try check(stream, "image")
        guard let frame = try firstFrame(of: stream, in: input, Decoder(stream: stream, file: "image")) else {
            throw nothing("image")
        }
        return try jpeg(of: frame, width: width)
    }

    /// Returns a JPEG of a non-black frame of a video, if it has one; throws ``MediaError`` if nothing can be decoded.
    package static func jpeg(ofFilm path: String, width: Int, cancellation: Cancellation) throws -> [UInt8] {
        let input = try MediaInput(path: path, cancellation: cancellation)
        let films = input.streams.filter { $0.kind == .video && !$0.isAttachedPicture && $0.canDecode }
        guard let stream = films.first(where: \.isDefault) ?? films.first else { throw nothing(path) }
        // The colors of this base layer are not those of the video.
        guard stream.dolbyVision?.hasPlainBase != false else { throw nothing(path) }
        try check(stream, path)
        input.keepOnly(streams: [stream.index])
        let decoder = try Decoder(stream: stream, file: path)
        var best: (frame: Frame, brightness: Int)?
        let length = input.duration ?? stream.duration ?? Rational(0)
        for place in places {
            let time = (length * Rational(place, 100) + (input.start ?? Rational(0))) / stream.timeBase
            do throws(MediaError) {
                try input.seek(to: time.rounded(scale: 1), stream: stream.index)
            } catch  where error.isCancelled {
                throw error
            } catch {
                // If seeking fails, reading continues at the current position.
            }
            decoder.flush()
            guard let frame = try firstFrame(of: stream, in: input, decoder) else { continue }
            let mean = try brightness(of: frame)
            if mean > best?.brightness ?? -1 { best = (frame, mean) }
            if mean >= leastBrightness { break }
        }
        guard let best else { throw nothing(path) }
        let frame = try upright(best.frame, stream.turn)
        let pixel = stream.sampleAspectRatio.map { stream.turn.isOnItsSide ? Rational(1) / $0 : $0 }
        return try jpeg(of: frame, width: min(width, frame.width), pixel: pixel)
    }

    private static func check(_ stream: StreamInfo, _ file: String) throws(MediaError) {
        guard stream.width > 0, stream.height > 0, stream.width <= Int(StillImage.mostPixels) / max(1, stream.height)
        else {
            throw MediaError(
                call: "thumbnail",
                file: file,
                message: "the image is larger than \(StillImage.mostPixels / 1_000_000) megapixels"
            )
        }
    }

    private static func nothing(_ file: String) -> MediaError {
        MediaError(call: "thumbnail", file: file, message: "no image found")
    }

    /// Decodes the first frame at the current position; nil if none decodes.
    private static func firstFrame(of stream: StreamInfo, in input: MediaInput, _ decoder: Decoder) throws -> Frame? {
        let packet = Packet()
        var found: Frame?
        let keep = { (frame: Frame) in
            if found == nil { found = try frame.shared() }
        }
        var left = mostPackets
        while found == nil, left > 0, try input.read(into: packet) {
            left -= 1
            guard packet.streamIndex == stream.index else { continue }
            // Damaged packets are skipped.
            try? decoder.decode(packet, keep)
        }
        if found == nil { try? decoder.decode(nil, keep) }
        return found
    }

    /// Rotates and mirrors a frame as a player displays it.
    private static func upright(_ frame: Frame, _ turn: VideoRotation) throws -> Frame {
        guard !turn.isUpright else { return frame }
        let filter = try VideoFilter(turn.filters.joined(separator: ","), for: frame)
        frame.pts = 0
        var result: Frame?
        let keep = { (frame: Frame) in result = frame }
        try filter.send(frame, keep)
        try filter.send(nil, keep)
        return result ?? frame
    }

    /// The mean of the bytes of a small grayscale frame, 0…255.
    private static func brightness(of frame: Frame) throws -> Int {
        let (width, height) = (64, 36)
        let scaler = try Scaler(
            from: .init(width: frame.width, height: frame.height, pixelFormat: frame.pixelFormat ?? "yuv420p"),
            to: .init(width: width, height: height, pixelFormat: "gray")
        )
        let grey = try scaler.convert(frame)
        guard let plane = grey.plane(0) else { return 0 }
        var sum = 0
        for line in 0..<height {
            for column in 0..<width { sum += Int(plane[line * grey.lineSize(plane: 0) + column]) }
        }
        return sum / (width * height)
    }

    private static func jpeg(of frame: Frame, width: Int, pixel: Rational? = nil) throws -> [UInt8] {
        let shape = pixel.map { $0 > Rational(0) ? $0.seconds : 1 } ?? 1
        let exact = Double(width) * Double(frame.height) / (Double(frame.width) * min(max(shape, 0.1), 10))
        let height = min(max(1, Int(exact.rounded())), 4 * width)
        let scaler = try Scaler(
            from: .init(width: frame.width, height: frame.height, pixelFormat: frame.pixelFormat ?? "yuv420p"),
            to: .init(width: width, height: height, pixelFormat: "yuvj420p")
        )
        let encoder = try VideoEncoder(
            named: "mjpeg",
            format: VideoEncoder.Format(
                width: width,
                height: height,
                pixelFormat: "yuvj420p",
                timeBase: Rational(1, 25)
            ),
            globalHeader: false,
            options: ["flags": "+qscale", "global_quality": "472"]
        )
        let image = try scaler.convert(frame)
        image.pts = 0
        var jpeg: [UInt8] = []
        try encoder.encode(image) { jpeg += $0.bytes }
        try encoder.encode(nil) { jpeg += $0.bytes }
        return jpeg
    }
}
