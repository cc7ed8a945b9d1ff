internal import Media

/// The brightness of a picture in a small size, for telling how alike two pictures are.
struct SmallPicture {
    /// The longer side, in pixels: small enough that every picture of a film can be compared.
    private static let side = 160
    /// Pixels in a row of a window.
    private static let window = 8

    let width: Int
    let height: Int
    let luma: [UInt8]

    /// The small size for pictures of a given size.
    static func size(for width: Int, _ height: Int) -> (width: Int, height: Int) {
        let scale = min(1, Double(side) / Double(max(width, height, 1)))
        func small(_ length: Int) -> Int { max(window, Int((Double(length) * scale).rounded())) }
        return (small(width), small(height))
    }

    /// The structural similarity of two pictures of the same size: the mean over windows of 8 x 8 pixels, 1 where both
    /// are the same.
    func likeness(to other: SmallPicture) -> Double {
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

    private func likeness(to other: SmallPicture, top: Int, left: Int) -> Double {
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

/// Makes small pictures of one size out of decoded ones of any.
struct PictureShrinker {
    let width: Int
    let height: Int
    private var scaler: (scaler: Scaler, width: Int, height: Int, format: String)?

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The small picture.
    ///
    /// - Throws: ``MediaError`` when the pixel format cannot be read.
    mutating func shrink(_ frame: Frame) throws -> SmallPicture {
        let format = frame.pixelFormat ?? ""
        if scaler?.width != frame.width || scaler?.height != frame.height || scaler?.format != format {
            let made = try Scaler(
                from: frame.width,
                frame.height,
                pixelFormat: format,
                to: width,
                height,
                pixelFormat: "gray"
            )
            scaler = (made, frame.width, frame.height, format)
        }
        let grey = try scaler?.scaler.convert(frame) ?? frame
        var luma: [UInt8] = []
        luma.reserveCapacity(width * height)
        if let plane = grey.plane(0) {
            let lineSize = grey.lineSize(plane: 0)
            for line in 0..<height {
                luma.append(contentsOf: UnsafeBufferPointer(start: plane + line * lineSize, count: width))
            }
        }
        return SmallPicture(width: width, height: height, luma: luma)
    }
}
