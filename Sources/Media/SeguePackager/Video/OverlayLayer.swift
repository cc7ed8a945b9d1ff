internal import SegueFFmpeg

/// A scaled image, ready to be blended into frames with 4:2:0 chroma.
struct OverlayLayer {
    /// A rectangle of one plane: its place, the weights of the picture below, and the values to add, in 256ths.
    private struct Plane {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        /// The remaining weight of the picture, from 0 to 256.
        var remaining: [UInt16]
        var added: [UInt16]
    }

    private var planes: [Plane] = []

    /// Scales an image into an area of the picture; nil if it is outside.
    init?(_ image: SubtitleImage, in area: OverlayArea, picture: (width: Int, height: Int), colours: LimitedRange) {
        func even(_ low: Double, length: Double, limit: Int) -> Range<Int> {
            let first = max(0, Int(low.rounded(.down)) & ~1)
            let last = min(limit, (Int((low + length).rounded(.up)) + 1) & ~1)
            return first..<max(first, last)
        }
        let columns = even(area.x, length: area.width, limit: picture.width)
        let rows = even(area.y, length: area.height, limit: picture.height)
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        let pixels = Self.scaled(image, in: area, columns: columns, rows: rows).map(colours.converted)
        let luma = pixels.map { SIMD2($0[0], $0[1]) }
        let half = (width: columns.count / 2, height: rows.count / 2)
        var means: [SIMD4<Float>] = []
        means.reserveCapacity(half.width * half.height)
        for row in 0..<half.height {
            for column in 0..<half.width {
                let corner = 2 * row * columns.count + 2 * column
                let sum = pixels[corner] + pixels[corner + 1]
                means.append((sum + pixels[corner + columns.count] + pixels[corner + columns.count + 1]) / 4)
            }
        }
        planes = [
            Self.plane(luma, x: columns.lowerBound, y: rows.lowerBound, width: columns.count),
            Self.plane(
                means.map { SIMD2($0[0], $0[2]) },
                x: columns.lowerBound / 2,
                y: rows.lowerBound / 2,
                width: half.width
            ),
            Self.plane(
                means.map { SIMD2($0[0], $0[3]) },
                x: columns.lowerBound / 2,
                y: rows.lowerBound / 2,
                width: half.width
            ),
        ]
    }

    /// Blends the layer into a writable frame in `yuv420p`.
    func draw(into frame: Frame) {
        for (number, plane) in planes.enumerated() {
            guard let start = frame.plane(number) else { continue }
            let stride = frame.lineSize(plane: number)
            for line in 0..<plane.height {
                let row = start + (plane.y + line) * stride + plane.x
                let first = line * plane.width
                for column in 0..<plane.width {
                    let place = first + column
                    let below = Int(row[column]) * Int(plane.remaining[place])
                    row[column] = UInt8(clamping: (below + Int(plane.added[place]) + 128) >> 8)
                }
            }
        }
    }

    private static func plane(_ values: [SIMD2<Float>], x: Int, y: Int, width: Int) -> Plane {
        Plane(
            x: x,
            y: y,
            width: width,
            height: values.count / max(1, width),
            remaining: values.map { UInt16(max(0, min(256, (256 * (1 - $0[0])).rounded()))) },
            added: values.map { UInt16(max(0, min(65280, (256 * $0[1]).rounded()))) }
        )
    }

    /// Scales an image with a triangle filter; the result has alpha, red, green, and blue from 0 to 1, multiplied by
    /// alpha.
    private static func scaled(
        _ image: SubtitleImage,
        in area: OverlayArea,
        columns: Range<Int>,
        rows: Range<Int>
    ) -> [SIMD4<Float>] {
        let across = columns.map { taps($0, start: area.x, scale: area.width / Double(image.width), image.width) }
        let down = rows.map { taps($0, start: area.y, scale: area.height / Double(image.height), image.height) }
        // Lines are scaled across once, and then summed.
        var lines: [SIMD4<Float>] = []
        lines.reserveCapacity(image.height * columns.count)
        for line in 0..<image.height {
            let start = line * image.width
            for tap in across {
                var sum = SIMD4<Float>.zero
                for (place, weight) in tap { sum += weight * components(image.pixels[start + place]) }
                lines.append(sum)
            }
        }
        var result: [SIMD4<Float>] = []
        result.reserveCapacity(rows.count * columns.count)
        for tap in down {
            for column in columns.indices {
                let place = column - columns.lowerBound
                var sum = SIMD4<Float>.zero
                for (line, weight) in tap { sum += weight * lines[line * columns.count + place] }
                result.append(sum)
            }
        }
        return result
    }

    /// The source pixels of a target pixel with their weights; pixels outside the image are transparent.
    private static func taps(_ target: Int, start: Double, scale: Double, _ count: Int) -> [(place: Int, weight: Float)]
    {
        let center = (Double(target) + 0.5 - start) / scale - 0.5
        let reach = max(1, 1 / scale)
        let places = Int((center - reach).rounded(.up))...Int((center + reach).rounded(.down))
        let weights = places.map { ($0, 1 - abs(Double($0) - center) / reach) }
        let sum = weights.reduce(0) { $0 + $1.1 }
        guard sum > 0 else { return [] }
        return weights.filter { (0..<count).contains($0.0) && $0.1 > 0 }.map { ($0.0, Float($0.1 / sum)) }
    }

    private static func components(_ pixel: UInt32) -> SIMD4<Float> {
        let alpha = Float(pixel >> 24) / 255
        let colours = SIMD4<Float>(255, Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255))
        return colours * (alpha / 255)
    }
}
