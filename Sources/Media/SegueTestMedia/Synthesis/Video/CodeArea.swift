/// The position of the block code in a frame: four corners, so it may be scaled, shifted, rotated, and skewed.
struct CodeArea: Equatable {
    /// The corners of the bordered grid, in samples: upper left, upper right, lower right, lower left.
    var corners: [SIMD2<Double>]

    init(corners: [SIMD2<Double>]) { self.corners = corners }

    /// Creates an upright area.
    init(x: Double, y: Double, width: Double, height: Double) {
        corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    }

    /// Creates the code's area of an unmodified frame.
    init(wholeWidth width: Int, height: Int) {
        self.init(x: 0, y: 0, width: Double(width), height: Double(FrameCode.codeHeight(of: height)))
    }

    /// The approximate length of a cell's shorter side.
    var cell: Double {
        let across = corners[1] - corners[0]
        let down = corners[3] - corners[0]
        return min(
            (across * across).sum().squareRoot() / Double(FrameCode.gridColumns),
            (down * down).sum().squareRoot() / Double(FrameCode.gridRows)
        )
    }

    /// The projection of the unit square onto the corners.
    var projection: Projection { Projection(corners) }

    /// A projective map of the unit square.
    struct Projection {
        private let origin, across, down: SIMD2<Double>
        private let (g, h): (Double, Double)

        init(_ corners: [SIMD2<Double>]) {
            let first = corners[1] - corners[2]
            let second = corners[3] - corners[2]
            let sum = corners[0] - corners[1] + corners[2] - corners[3]
            let determinant = first.x * second.y - first.y * second.x
            if abs(determinant) > 1e-9 {
                g = (sum.x * second.y - sum.y * second.x) / determinant
                h = (first.x * sum.y - first.y * sum.x) / determinant
            } else {
                (g, h) = (0, 0)
            }
            origin = corners[0]
            across = corners[1] - corners[0] + g * corners[1]
            down = corners[3] - corners[0] + h * corners[3]
        }

        /// Maps a point of the unit square.
        func point(_ u: Double, _ v: Double) -> SIMD2<Double> {
            let weight = g * u + h * v + 1
            return (origin + across * u + down * v) / (abs(weight) > 1e-6 ? weight : 1e-6)
        }

        /// The mean brightness of the central `part` of a grid cell, or of an equal area beside the grid; nil if it is
        /// not completely inside the frame.
        func level(column: Int, row: Double, in plane: LumaPlane, part: Double) -> Int? {
            let side = 5
            var sum = 0
            for index in 0..<side * side {
                let (right, down) = (Double(index % side) + 0.5, Double(index / side) + 0.5)
                let place = point(
                    (Double(column) + 0.5 + (right / Double(side) - 0.5) * part) / Double(FrameCode.gridColumns),
                    (row + 0.5 + (down / Double(side) - 0.5) * part) / Double(FrameCode.gridRows)
                )
                guard place.x >= 0, place.y >= 0, place.x < Double(plane.width), place.y < Double(plane.height) else {
                    return nil
                }
                sum += plane[Int(place.x), Int(place.y)]
            }
            return sum / (side * side)
        }
    }
}

extension CodeArea {
    /// The brightness of an area's cells.
    struct Levels {
        /// The code's cells, row by row.
        var code: [Int] = []
        /// The border cells inside the frame.
        var border: [Int] = []

        /// The clarity of the code: 1 for black and white cells within gray, lower for mixed ones.
        var clearness: Double {
            guard let low = code.min(), let high = code.max(), high - low >= 20 else { return 0 }
            let middle = Double(low + high) / 2
            let half = Double(high - low) / 2
            let inside = code.reduce(0) { $0 + abs(Double($1) - middle) } / half / Double(code.count)
            guard !border.isEmpty else { return inside }
            let outside = border.reduce(0) { $0 + abs(Double($1) - middle) } / half / Double(border.count)
            return inside - outside
        }
    }

    /// The mean brightness of the central `part` of each cell; nil if the code is not completely inside the frame.
    func levels(in plane: LumaPlane, part: Double) -> Levels? {
        let projection = projection
        var levels = Levels()
        for row in 0..<FrameCode.gridRows {
            for column in 0..<FrameCode.gridColumns {
                let isBorder =
                    row == 0 || row == FrameCode.gridRows - 1 || column == 0 || column == FrameCode.gridColumns - 1
                guard let level = projection.level(column: column, row: Double(row), in: plane, part: part) else {
                    if isBorder { continue }
                    return nil
                }
                if isBorder { levels.border.append(level) } else { levels.code.append(level) }
            }
        }
        return levels
    }

    /// The number that the area shows, or nil.
    func number(in plane: LumaPlane) -> Int? {
        guard let levels = levels(in: plane, part: 0.5) else { return nil }
        return FrameCodeReader.number(levels: levels.code, border: levels.border)
    }

    /// The variant's mark below the code, or nil.
    func mark(in plane: LumaPlane) -> Int? {
        guard let code = levels(in: plane, part: 0.5)?.code else { return nil }
        let projection = projection
        let levels = (1...VariantMark.columns).compactMap {
            projection.level(column: $0, row: VariantMark.rows.top, in: plane, part: 0.5)
        }
        return VariantMark.mark(levels: levels, code: code)
    }

    /// The nearby area with the clearest cells.
    func adjusted(in plane: LumaPlane) -> CodeArea {
        func clearness(_ area: CodeArea) -> Double { area.levels(in: plane, part: 0.9)?.clearness ?? 0 }
        var best = self
        var most = clearness(self)
        var step = cell / 4
        while step >= max(cell / 40, 0.2) {
            var isBetter = false
            for corner in 0..<4 {
                for move: SIMD2<Double> in [[step, 0], [-step, 0], [0, step], [0, -step]] {
                    var other = best
                    other.corners[corner] += move
                    let found = clearness(other)
                    if found > most + 1e-6 { (best, most, isBetter) = (other, found, true) }
                }
            }
            if !isBetter { step /= 2 }
        }
        return best
    }
}
