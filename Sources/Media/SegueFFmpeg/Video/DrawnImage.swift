internal import CSegueFFmpeg
internal import SegueBase

/// A renderer of SVG documents.
package enum DrawnImage {
    /// Renders an SVG document with an opaque background as a PNG of the given width; throws ``MediaError`` if libav
    /// lacks librsvg or the document is invalid.
    package static func png(svg: [UInt8], width: Int) throws -> [UInt8] {
        let file = "SVG"
        guard avcodec_find_decoder_by_name("librsvg") != nil else {
            throw MediaError(
                call: "avcodec_find_decoder_by_name",
                file: file,
                code: ffs_error_decoder_not_found,
                message: "libav was built without librsvg and cannot render PNG; write an .svg instead"
            )
        }
        let input = try MediaInput(bytes: svg, name: file, format: "svg_pipe")
        guard let stream = input.streams.first else {
            throw MediaError(call: "svg_pipe", file: file, message: "not a valid SVG document")
        }
        let decoder = try Decoder(stream: stream, file: file, options: ["width": "\(width)"])
        let packet = Packet()
        guard try input.read(into: packet) else {
            throw MediaError(call: "svg_pipe", file: file, message: "the SVG document has no content")
        }
        var png: [UInt8] = []
        let encode = { (frame: Frame) in
            let size = (width: frame.width, height: frame.height)
            let scaler = try Scaler(
                from: .init(width: size.width, height: size.height, pixelFormat: frame.pixelFormat ?? "rgba"),
                to: .init(width: size.width, height: size.height, pixelFormat: "rgb24")
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
            let image = try scaler.convert(frame)
            image.pts = 0
            try encoder.encode(image) { png += $0.bytes }
            try encoder.encode(nil) { png += $0.bytes }
        }
        try decoder.decode(packet, encode)
        if png.isEmpty { try decoder.decode(nil, encode) }
        return png
    }
}
