/// A search for the block code anywhere in a frame, from a quarter of its width.
struct CodeSearch {
    /// The width to which the frame is reduced for the search.
    private static let width = 160

    /// The ratio between consecutive sizes.
    private static let growth = 1.06

    /// The step between positions, in cells.
    private static let shift = 0.45

    /// The area of a code in a frame; nil if none is found.
    static func area(in plane: LumaPlane) -> CodeArea? {
        let small = plane.reduced(toWidth: width)
        guard let low = small.levels.min(), let high = small.levels.max(), high - low >= 40 else { return nil }
        var best: (clearness: Double, area: CodeArea)?
        small.levels.withUnsafeBufferPointer { levels in
            let scan = Scan(levels: levels, width: small.width, height: small.height)
            scan.each { area, clearness in
                if clearness > best?.clearness ?? 0 { best = (clearness, area) }
            }
        }
        guard let found = best?.area else { return nil }
        let scale = Double(small.step)
        let area = CodeArea(corners: found.corners.map { $0 * scale }).adjusted(in: plane)
        return area.number(in: plane) == nil ? nil : area
    }

    private struct Scan {
        let levels: UnsafeBufferPointer<Int16>
        let width: Int
        let height: Int

        func each(_ body: (CodeArea, Double) -> Void) {
            var across = Double(width) * 1.3
            while across >= Double(width) / 4 {
                // From upright 9:16 video to the widest format.
                var down = min(across * 1.4, Double(height) * 1.3)
                while down >= max(across / 4.2, 10) {
                    places(across, down: down, body: body)
                    down /= CodeSearch.growth
                }
                across /= CodeSearch.growth
            }
        }

        private func places(_ across: Double, down: Double, body: (CodeArea, Double) -> Void) {
            let (cellWidth, cellHeight) = (across / 10, down / 6)
            var y = -cellHeight
            while y + down - cellHeight <= Double(height) {
                var x = -cellWidth
                while x + across - cellWidth <= Double(width) {
                    if let clearness = clearness(x, y: y, cellWidth: cellWidth, cellHeight: cellHeight) {
                        body(CodeArea(x: x, y: y, width: across, height: down), clearness)
                    }
                    x += cellWidth * CodeSearch.shift
                }
                y += cellHeight * CodeSearch.shift
            }
        }

        private func level(_ x: Double, _ y: Double) -> Int? {
            guard x >= 0, y >= 0, x < Double(width), y < Double(height) else { return nil }
            return Int(levels[Int(y) * width + Int(x)])
        }

        /// The clarity of an upright area's code; nil if there is none.
        private func clearness(_ x: Double, y: Double, cellWidth: Double, cellHeight: Double) -> Double? {
            func cell(_ column: Int, _ row: Int) -> Int? {
                level(x + (Double(column) + 0.5) * cellWidth, y + (Double(row) + 0.5) * cellHeight)
            }
            // The most selective test first: the border has a single gray.
            var (least, most) = (Int.max, Int.min)
            for (column, row) in [(1, 0), (8, 0), (4, 5), (0, 2), (9, 3), (0, 4)] {
                guard let level = cell(column, row) else { continue }
                (least, most) = (min(least, level), max(most, level))
                if most - least > 60 { return nil }
            }
            var (low, high) = (Int.max, Int.min)
            for row in 1...4 {
                for column in 1...8 {
                    guard let level = cell(column, row) else { return nil }
                    (low, high) = (min(low, level), max(high, level))
                }
                // A row nearly always has both black and white cells; two rows without are not a code.
                if row == 2, high - low < 30 { return nil }
            }
            guard high - low >= 40 else { return nil }
            var found = CodeArea.Levels()
            for row in 0..<6 {
                for column in 0..<10 {
                    guard let level = cell(column, row) else { continue }
                    if (1...4).contains(row), (1...8).contains(column) {
                        if abs(2 * level - low - high) * 5 < high - low { return nil }
                        found.code.append(level)
                    } else {
                        found.border.append(level)
                    }
                }
            }
            return FrameCodeReader.number(levels: found.code, border: found.border) == nil ? nil : found.clearness
        }
    }
}
