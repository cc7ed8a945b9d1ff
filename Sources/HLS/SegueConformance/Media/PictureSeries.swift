internal import SegueBase

/// The pictures of a playlist within a few seconds, normalized for comparison with those of another playlist.
struct PictureSeries {
    /// A picture without its brightness and contrast, which differ between dynamic ranges.
    struct Picture {
        /// The position in seconds from the start of the playlist.
        let time: Double
        let blue: Int
        let red: Int
        let shape: Double
        let mean: Double
        /// The standard deviation of the luma.
        let deviation: Double
        let luma: [UInt8]
        /// The luma with mean 0 and norm 1; empty for a uniform picture.
        let whole: [Float]

        /// A picture below it is uniform: only coding noise is left.
        static let uniform = 3.0
        /// A picture below it shows too little to be compared.
        static let detailed = 8.0

        init(_ picture: DecodedPicture, time: Double) {
            (self.time, luma) = (time, picture.luma)
            (blue, red, shape) = (picture.blue, picture.red, picture.shape)
            (mean, deviation, whole) = Self.normalized(picture.luma.map(Float.init))
        }

        static func normalized(_ luma: [Float]) -> (mean: Double, deviation: Double, [Float]) {
            guard !luma.isEmpty else { return (0, 0, []) }
            let mean = luma.reduce(0, +) / Float(luma.count)
            let centered = luma.map { $0 - mean }
            let energy = centered.reduce(0) { $0 + $1 * $1 }
            let deviation = Double(energy / Float(luma.count)).squareRoot()
            let norm = energy.squareRoot()
            return (Double(mean), deviation, deviation < uniform ? [] : centered.map { $0 / norm })
        }

        var isUniform: Bool { deviation < Self.uniform }
        var isDetailed: Bool { deviation >= Self.detailed }
    }

    let pictures: [Picture]
    /// The duration of a frame in seconds.
    let frame: Double
    /// The part of the picture without black bars; nil without bars.
    private let active: (columns: Range<Int>, rows: Range<Int>)?

    init(_ pictures: [Picture]) {
        self.pictures = pictures
        let steps = zip(pictures, pictures.dropFirst()).map { $1.time - $0.time }.filter { $0 > 0.001 }.sorted()
        frame = steps.isEmpty ? 0.04 : min(1, steps[steps.count / 2])
        active = Self.active(pictures)
    }

    /// The series of the pictures within a time, in seconds from the start of the playlist.
    func within(_ range: ClosedRange<Double>) -> PictureSeries {
        PictureSeries(pictures.filter { range.contains($0.time) })
    }

    /// The area that is not black in all pictures, without its blurred border.
    private static func active(_ pictures: [Picture]) -> (columns: Range<Int>, rows: Range<Int>)? {
        let (width, height, black) = (DecodedPicture.width, DecodedPicture.height, UInt8(28))
        let bright = pictures.reduce(into: [Bool](repeating: false, count: width * height)) { bright, picture in
            for (place, luma) in picture.luma.prefix(bright.count).enumerated() where luma > black {
                bright[place] = true
            }
        }
        let rows = (0..<height).filter { row in bright[row * width..<(row + 1) * width].contains(true) }
        let columns = (0..<width).filter { column in (0..<height).contains { bright[$0 * width + column] } }
        guard var top = rows.first, var bottom = rows.last, var left = columns.first, var right = columns.last else {
            return nil
        }
        guard top > 0 || left > 0 || bottom < height - 1 || right < width - 1 else { return nil }
        if top > 0 { top += 1 }
        if left > 0 { left += 1 }
        if bottom < height - 1 { bottom -= 1 }
        if right < width - 1 { right -= 1 }
        guard bottom - top >= height / 3, right - left >= width / 3 else { return nil }
        return (left..<right + 1, top..<bottom + 1)
    }

    /// The picture without black bars, scaled to the size of all reduced pictures and normalized.
    private func cropped(_ picture: Picture) -> [Float] {
        guard let active, picture.luma.count == DecodedPicture.width * DecodedPicture.height else {
            return picture.whole
        }
        let (width, height) = (DecodedPicture.width, DecodedPicture.height)
        var luma: [Float] = []
        for row in 0..<height {
            let y = active.rows.lowerBound + row * active.rows.count / height
            for column in 0..<width {
                let x = active.columns.lowerBound + column * active.columns.count / width
                luma.append(Float(picture.luma[y * width + x]))
            }
        }
        return Picture.normalized(luma).2
    }

    /// The pictures in normalized form: whole, or without black bars.
    func forms(isCropped: Bool) -> [[Float]] {
        isCropped ? pictures.map(cropped) : pictures.map(\.whole)
    }

    var hasBars: Bool { active != nil }

    /// The display aspect ratio without black bars.
    var shape: Double {
        let shape = pictures.first?.shape ?? 1
        guard let active else { return shape }
        let columns = Double(active.columns.count) / Double(DecodedPicture.width)
        return shape * columns * Double(DecodedPicture.height) / Double(active.rows.count)
    }

    /// The place of the picture that is shown at a time; nil if none of the series is.
    func place(at time: Double) -> Int? {
        var (low, high) = (0, pictures.count)
        while low < high {
            let middle = (low + high) / 2
            if pictures[middle].time <= time + 0.001 { low = middle + 1 } else { high = middle }
        }
        // Between two sampled segments, no picture is known.
        guard low > 0, time < pictures[low - 1].time + 1.5 * frame else { return nil }
        return low - 1
    }

    /// The correlation of two normalized pictures: 1 for the same, about 0 for unrelated ones.
    static func likeness(_ one: [Float], _ other: [Float]) -> Double {
        guard one.count == other.count, !one.isEmpty else { return 0 }
        return one.withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { other in
                var sum: Float = 0
                for place in 0..<one.count { sum += one[place] * other[place] }
                return Double(sum)
            }
        }
    }
}
