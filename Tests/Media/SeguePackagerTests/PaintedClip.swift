import SegueBase
import SegueFFmpeg
import SegueTestSupport

/// A recipe for a video with individually painted pixels.
struct PaintedClip: Sendable {
    var codec = "ffv1"
    var container = "matroska"
    var pixelFormat = "yuv420p"
    var sizes = [(width: 96, height: 64)]
    var seconds = 1
    var keyframeInterval = 12
    var aspect: Rational?
    var rotation: Double?
    var displayMatrix: [Int32]?
    var dolbyVision: DolbyVision?
    var isInterlaced = false
    /// True for parameter sets outside of the frames.
    var hasGlobalHeader = true
    var options: [String: String] = [:]
    /// A sample of a plane: plane, x, y, width, height, frame.
    var paint: @Sendable (_ plane: Int, _ x: Int, _ y: Int, _ size: (width: Int, height: Int), _ number: Int) -> Int = {
        plane,
        _,
        _,
        _,
        _ in plane == 0 ? 100 : 128
    }

    /// Makes the file with one part per size, and returns its path.
    func write(in folder: TestFolder, name: String = "painted") throws -> String {
        let path = folder.file("\(name).\(container)")
        let muxer = try Muxer(format: container, path: path)
        let encoders = try sizes.map { size in
            try VideoEncoder(
                named: codec,
                format: VideoEncoder.Format(
                    width: size.width,
                    height: size.height,
                    pixelFormat: pixelFormat,
                    timeBase: Rational(1, 25),
                    frameRate: Rational(25)
                ) {
                    $0.keyframeInterval = keyframeInterval
                    $0.sampleAspectRatio = aspect
                },
                globalHeader: hasGlobalHeader,
                options: options
            )
        }
        var attributes = StreamAttributes()
        attributes.rotation = rotation
        attributes.displayMatrix = displayMatrix
        attributes.dolbyVision = dolbyVision
        let stream = try muxer.addStream(encoders[0], attributes: attributes)
        var number = 0
        for (encoder, size) in zip(encoders, sizes) {
            let take = { (packet: Packet) in
                if packet.duration == 0 { packet.duration = 1 }
                try muxer.write(packet.copy(), stream: stream)
            }
            for _ in 0..<seconds * 25 {
                try encoder.encode(frame(number, size), take)
                number += 1
            }
            try encoder.encode(nil, take)
        }
        try muxer.finish()
        return path
    }

    private func frame(_ number: Int, _ size: (width: Int, height: Int)) throws -> Frame {
        let frame = try Frame(pixelFormat: pixelFormat, width: size.width, height: size.height)
        frame.pts = Int64(number)
        frame.isInterlaced = isInterlaced
        let isDeep = pixelFormat.hasSuffix("10le")
        for plane in 0..<3 {
            let isSmall = plane > 0 && pixelFormat.hasPrefix("yuv")
            var part = isSmall ? (width: (size.width + 1) / 2, height: (size.height + 1) / 2) : size
            if pixelFormat == "bgr0" { part.width *= 4 }
            guard let lines = frame.plane(plane) else { continue }
            for y in 0..<part.height {
                let line = lines + y * frame.lineSize(plane: plane)
                for x in 0..<part.width {
                    let value = paint(plane, x, y, part, number)
                    line[isDeep ? 2 * x : x] = UInt8(truncatingIfNeeded: value)
                    if isDeep { line[2 * x + 1] = UInt8(truncatingIfNeeded: value >> 8) }
                }
            }
        }
        return frame
    }
}

/// A decoded frame with access to its samples.
struct Look {
    let frame: Frame

    /// The sample of a plane at a relative position.
    func sample(_ plane: Int, at x: Double, _ y: Double) -> Int {
        let isSmall = plane > 0
        let (width, height) = isSmall ? (frame.width / 2, frame.height / 2) : (frame.width, frame.height)
        return self[plane, Int(x * Double(width)), Int(y * Double(height))]
    }

    subscript(plane: Int, x: Int, y: Int) -> Int {
        frame.plane(plane).map { Int($0[y * frame.lineSize(plane: plane) + x]) } ?? -1
    }

    /// The frames of the first video stream.
    static func frames(in input: MediaInput) throws -> (stream: StreamInfo, frames: [Look]) {
        guard let stream = input.streams.first(where: { $0.kind == .video }) else {
            throw MediaError(call: "open", file: input.name, message: "no film")
        }
        let decoder = try Decoder(stream: stream, file: input.name)
        var result: [Look] = []
        let packet = Packet()
        while try input.read(into: packet) {
            guard packet.streamIndex == stream.index else { continue }
            try decoder.decode(packet) { result.append(Look(frame: $0.taken())) }
        }
        try decoder.decode(nil) { result.append(Look(frame: $0.taken())) }
        return (stream, result)
    }
}
