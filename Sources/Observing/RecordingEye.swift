internal import Media
internal import Observation
internal import Synthesis

/// Looks at the pictures of a recording, one after the other.
struct RecordingEye {
    private(set) var showings: [Recording.Showing] = []
    private(set) var firstChange: Double?
    private(set) var last: Double?

    private var tracker = CodeTracker()
    private var scaler: (from: String, scaler: Scaler)?
    private var look: [Int16]?
    private var count = 0
    private var distances: [Int: Int] = [:]

    /// A picture no sample of whose reduction is brighter is dark.
    private static let darkness: Int16 = 40
    /// By so much, of 255, some place of the picture changes.
    private static let change: Int16 = 24

    /// From one picture to the next: the commonest distance, to a ten-thousandth of a second.
    var interval: Double {
        guard count > 1 else { return 0 }
        let total = distances.values.reduce(0, +)
        var rest = total / 2
        for (distance, number) in distances.sorted(by: { $0.key < $1.key }) {
            rest -= number
            if rest < 0 { return Double(distance) / 10000 }
        }
        return 0
    }

    mutating func see(_ frame: Frame, at time: Double?) {
        let time = max(time ?? (last.map { $0 + interval } ?? 0), last ?? 0)
        if let last {
            let distance = Int(min((time - last) * 10000, 100_000).rounded())
            if distances.count < 10000 || distances[distance] != nil { distances[distance, default: 0] += 1 }
        }
        count += 1
        defer { last = time }
        let shown =
            readable(frame).flatMap { frame, depth in
                Self.withPlane(of: frame, depth: depth) { look(at: $0, time) }
            } ?? .unreadable
        if let index = showings.indices.last, showings[index].look == shown {
            showings[index].last = time
            showings[index].count += 1
        } else {
            showings.append(Recording.Showing(shown, first: time, last: time, count: 1))
        }
    }

    private mutating func look(at plane: LumaPlane, _ time: Double) -> Recording.Look {
        let number = tracker.number(in: plane)
        let now = plane.look
        if let look, firstChange == nil, Self.differ(look, now) { firstChange = time }
        if look == nil { look = now }
        if let number { return .number(number) }
        return now.allSatisfy { $0 <= Self.darkness } ? .dark : .unreadable
    }

    private static func differ(_ one: [Int16], _ other: [Int16]) -> Bool {
        one.count != other.count || zip(one, other).contains { abs($0 - $1) > change }
    }

    /// A frame whose first plane is brightness, and the bits of a sample: the frame itself or a grey copy.
    private mutating func readable(_ frame: Frame) -> (Frame, depth: Int)? {
        guard let format = frame.pixelFormat, frame.width > 0, frame.height > 0 else { return nil }
        let isPlanar = format.hasPrefix("yuv") || format.hasPrefix("gray") || format.hasPrefix("nv12")
        if isPlanar, !format.hasSuffix("be"), !format.hasPrefix("yuyv") {
            let depth = format.contains("p10") || format.contains("y10") ? 10 : format.contains("p12") ? 12 : 8
            return (frame, depth)
        }
        let size = "\(frame.width)x\(frame.height) \(format)"
        if scaler?.from != size {
            let made = try? Scaler(
                from: frame.width,
                frame.height,
                pixelFormat: format,
                to: frame.width,
                frame.height,
                pixelFormat: "gray"
            )
            scaler = made.map { (size, $0) }
        }
        return (try? scaler?.scaler.convert(frame)).map { ($0, 8) }
    }

    /// Lends the brightness of a frame.
    private static func withPlane<Result>(of frame: Frame, depth: Int, _ body: (LumaPlane) -> Result) -> Result? {
        let stride = frame.lineSize(plane: 0)
        guard let memory = frame.plane(0), stride > 0 else { return nil }
        let bytes = stride * (frame.height - 1) + frame.width * (depth > 8 ? 2 : 1)
        let luma = UnsafeBufferPointer(start: memory, count: bytes)
        return LumaPlane(luma: luma, width: frame.width, height: frame.height, stride: stride, depth: depth).map(body)
    }
}
