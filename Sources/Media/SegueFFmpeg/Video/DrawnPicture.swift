internal import CSegueFFmpeg
internal import SegueBase

/// Makes pixels of drawings.
package enum DrawnPicture {
    /// Renders an SVG document as PNG.
    ///
    /// - Parameters:
    ///   - svg: The document, with a ground of its own: nothing shows through.
    ///   - width: The number of pixels wide the frame is to be.
    /// - Returns: The bytes of a PNG file.
    /// - Throws: ``MediaError`` if this machine's libav was built without librsvg, or the document is none.
    package static func png(svg: [UInt8], width: Int) throws -> [UInt8] {
        let file = "SVG"
        guard avcodec_find_decoder_by_name("librsvg") != nil else {
            throw MediaError(
                call: "avcodec_find_decoder_by_name",
                file: file,
                code: ffs_error_decoder_not_found,
                message: "this libav was built without librsvg, so it cannot make a PNG of a drawing; write an .svg"
            )
        }
        let input = try MediaInput(bytes: svg, name: file, format: "svg_pipe")
        guard let stream = input.streams.first else {
            throw MediaError(call: "svg_pipe", file: file, message: "not a drawing")
        }
        let decoder = try Decoder(stream: stream, file: file, options: ["width": "\(width)"])
        let packet = Packet()
        guard try input.read(into: packet) else {
            throw MediaError(call: "svg_pipe", file: file, message: "the drawing is empty")
        }
        var png: [UInt8] = []
        let encode = { (frame: Frame) in
            let size = (width: frame.width, height: frame.height)
            let scaler = try Scaler(
                from: size.width,
                size.height,
                pixelFormat: frame.pixelFormat ?? "rgba",
                to: size.width,
                size.height,
                pixelFormat: "rgb24"
            )
            let encoder = try VideoEncoder(
                named: "png",
                format: VideoEncoder.Format(
                    width: size.width,
                    height: size.height,
                    pixelFormat: "rgb24",
                    timeBase: Rational(1, 25)
                ),
                globalHeader: false
            )
            let picture = try scaler.convert(frame)
            picture.pts = 0
            try encoder.encode(picture) { png += $0.bytes }
            try encoder.encode(nil) { png += $0.bytes }
        }
        try decoder.decode(packet, encode)
        if png.isEmpty { try decoder.decode(nil, encode) }
        return png
    }
}
