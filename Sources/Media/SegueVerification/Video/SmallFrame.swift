internal import SegueFFmpeg

/// A reduced frame for similarity.
struct SmallFrame: Sendable {
    /// The longer side in pixels, small enough to compare every frame.
    private static let side = 160
    /// The window size, in pixels.
    private static let window = 8

    let width: Int
    let height: Int
    /// The brightness of each pixel.
    private(set) var luma: [UInt8]
    /// The chroma planes, at half width and height.
    private(set) var chroma: [[UInt8]]

    init(width: Int, height: Int, luma: [UInt8], chroma: [[UInt8]] = []) {
        (self.width, self.height, self.luma, self.chroma) = (width, height, luma, chroma)
    }

    /// The reduced size of frames.
    static func size(for width: Int, _ height: Int) -> (width: Int, height: Int) {
        let scale = min(1, Double(side) / Double(max(width, height, 1)))
        func small(_ length: Int) -> Int { max(window, Int((Double(length) * scale).rounded())) }
        return (small(width), small(height))
    }

    /// The structural similarity of two frames of the same size: the mean over windows of 8 x 8 pixels, at most 1.
    func likeness(to other: SmallFrame) -> Double {
        var sum = 0.0
        var count = 0
        for top in stride(from: 0, through: height - Self.window, by: Self.window) {
            for left in stride(from: 0, through: width - Self.window, by: Self.window) {
                sum += likeness(to: other, top: top, left: left)
                count += 1
            }
        }
        return count > 0 ? sum / Double(count) : 1
    }

    /// The mean color difference of two frames of the same size, in 8-bit steps.
    func colourDistance(to other: SmallFrame) -> Double {
        var (sum, count) = (0, 0)
        for (here, there) in zip(chroma, other.chroma) {
            for (a, b) in zip(here, there) { sum += abs(Int(a) - Int(b)) }
            count += here.count
        }
        return count > 0 ? Double(sum) / Double(count) : 0
    }

    /// The color difference of two frames of the same size, smoothed over windows, because smaller or coarsely coded
    /// frames lack fine color.
    func tintDistance(to other: SmallFrame) -> Double {
        let columns = (width + 1) / 2
        guard columns > 0 else { return 0 }
        let side = Self.window / 2
        var (sum, count) = (0.0, 0)
        for (here, there) in zip(chroma, other.chroma) {
            let lines = min(here.count, there.count) / columns
            for top in stride(from: 0, to: lines, by: side) {
                for left in stride(from: 0, to: columns, by: side) {
                    var (difference, samples) = (0, 0)
                    for line in top..<min(top + side, lines) {
                        for place in line * columns + left..<line * columns + min(left + side, columns) {
                            difference += Int(here[place]) - Int(there[place])
                            samples += 1
                        }
                    }
                    sum += Double(abs(difference))
                    count += samples
                }
            }
        }
        return count > 0 ? sum / Double(count) : 0
    }

    /// The frame with normalized brightness and contrast (mean 128, standard deviation 48, unless uniform), for
    /// comparison after tone mapping.
    var withoutTone: SmallFrame {
        let count = Double(max(1, luma.count))
        let mean = Double(luma.reduce(0) { $0 + Int($1) }) / count
        let variance = luma.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count
        guard variance > 4 else { return self }
        var result = self
        result.luma = luma.map {
            UInt8(max(0, min(255, 128 + (Double($0) - mean) * 48 / variance.squareRoot())))
        }
        result.chroma = []
        return result
    }

    /// The frame in the middle of a black one of a size.
    func padded(width whole: Int, height lines: Int) -> SmallFrame {
        guard whole > width || lines > height else { return self }
        let put = { (plane: [UInt8], size: (Int, Int), whole: (Int, Int), at: (Int, Int), black: UInt8) -> [UInt8] in
            var result = [UInt8](repeating: black, count: whole.0 * whole.1)
            for line in 0..<min(size.1, whole.1 - at.1) {
                let count = min(size.0, whole.0 - at.0)
                let start = (line + at.1) * whole.0 + at.0
                result.replaceSubrange(start..<start + count, with: plane[line * size.0..<line * size.0 + count])
            }
            return result
        }
        let half = { ($0 + 1) / 2 }
        let (left, top) = (max(0, whole - width) / 2, max(0, lines - height) / 2)
        return SmallFrame(
            width: whole,
            height: lines,
            luma: put(luma, (width, height), (whole, lines), (left, top), 16),
            chroma: chroma.map {
                put($0, (half(width), half(height)), (half(whole), half(lines)), (left / 2, top / 2), 128)
            }
        )
    }

    /// The frame transformed by a display matrix (ISO/IEC 14496-12, 6.2.2).
    func shown(by matrix: [Int32]) -> SmallFrame {
        let isOnItsSide = abs(Int(matrix[1])) > abs(Int(matrix[0]))
        let small = { (plane: [UInt8], width: Int, height: Int) -> [UInt8] in
            let (newWidth, newHeight) = isOnItsSide ? (height, width) : (width, height)
            var result = [UInt8](repeating: 0, count: plane.count)
            for y in 0..<height {
                for x in 0..<width {
                    let (across, down) = isOnItsSide ? (y, x) : (x, y)
                    let isLeftward = (isOnItsSide ? matrix[3] : matrix[0]) < 0
                    let isUpward = (isOnItsSide ? matrix[1] : matrix[4]) < 0
                    let column = isLeftward ? newWidth - 1 - across : across
                    let row = isUpward ? newHeight - 1 - down : down
                    result[row * newWidth + column] = plane[y * width + x]
                }
            }
            return result
        }
        let half = { ($0 + 1) / 2 }
        return SmallFrame(
            width: isOnItsSide ? height : width,
            height: isOnItsSide ? width : height,
            luma: small(luma, width, height),
            chroma: chroma.map { small($0, half(width), half(height)) }
        )
    }

    private func likeness(to other: SmallFrame, top: Int, left: Int) -> Double {
        var (a, b, aa, bb, ab) = (0, 0, 0, 0, 0)
        luma.withUnsafeBufferPointer { here in
            other.luma.withUnsafeBufferPointer { there in
                for line in top..<top + Self.window {
                    for place in line * width + left..<line * width + left + Self.window {
                        let (x, y) = (Int(here[place]), Int(there[place]))
                        a += x
                        b += y
                        aa += x * x
                        bb += y * y
                        ab += x * y
                    }
                }
            }
        }
        let n = Double(Self.window * Self.window)
        let (meanA, meanB) = (Double(a) / n, Double(b) / n)
        let (varianceA, varianceB) = (Double(aa) / n - meanA * meanA, Double(bb) / n - meanB * meanB)
        let covariance = Double(ab) / n - meanA * meanB
        // Wang et al. 2004: (0.01 x 255) squared and (0.03 x 255) squared.
        let (c1, c2) = (6.5025, 58.5225)
        return (2 * meanA * meanB + c1) * (2 * covariance + c2)
            / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
    }
}

/// Reduces decoded frames of any size to one size.
struct FrameShrinker {
    let width: Int
    let height: Int
    private var scaler: (scaler: Scaler, width: Int, height: Int, format: String)?

    /// The minimum number of source lines per reduced line, to average out fine patterns and noise.
    static let leastLines = 4

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Reduces a frame.
    mutating func shrink(_ frame: Frame) throws -> SmallFrame {
        try small(of: frame.keepingLines(every: Self.step(from: frame.height, to: height)))
    }

    /// Reduces a frame using all lines.
    mutating func small(of frame: Frame) throws -> SmallFrame {
        let format = frame.pixelFormat ?? ""
        if scaler?.width != frame.width || scaler?.height != frame.height || scaler?.format != format {
            let made = try Scaler(
                from: .init(width: frame.width, height: frame.height, pixelFormat: format),
                isFullRange: frame.colour["color_range"] == "pc" && !frame.isRGB,
                to: .init(width: width, height: height, pixelFormat: "yuv420p")
            )
            scaler = (made, frame.width, frame.height, format)
        }
        let small = try scaler?.scaler.convert(frame) ?? frame
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        return SmallFrame(
            width: width,
            height: height,
            luma: Self.bytes(small, plane: 0, width: width, height: height),
            chroma: [1, 2].map { Self.bytes(small, plane: $0, width: halfWidth, height: halfHeight) }
        )
    }

    /// The line step: odd, so that both fields of interlaced frames are sampled.
    static func step(from height: Int, to small: Int) -> Int {
        let most = height / (leastLines * max(1, small))
        return max(1, most.isMultiple(of: 2) ? most - 1 : most)
    }

    private static func bytes(_ frame: Frame, plane: Int, width: Int, height: Int) -> [UInt8] {
        guard let bytes = frame.plane(plane) else { return [] }
        let lineSize = frame.lineSize(plane: plane)
        var result: [UInt8] = []
        result.reserveCapacity(width * height)
        for line in 0..<height {
            result.append(contentsOf: UnsafeBufferPointer(start: bytes + line * lineSize, count: width))
        }
        return result
    }
}
