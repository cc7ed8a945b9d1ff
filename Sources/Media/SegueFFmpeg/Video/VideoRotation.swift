/// A display transform: an optional horizontal mirror, then a clockwise rotation by right angles.
package struct VideoRotation: Sendable, Hashable, Codable {
    /// The clockwise right angles: 0 to 3.
    package let quarters: Int
    /// True if mirrored before the rotation.
    package let isMirrored: Bool

    /// Parses a display matrix (ISO/IEC 14496-12, 6.2.2) with rounding to right angles; nil is upright.
    package init(matrix: [Int32]?) {
        guard let matrix, matrix.count == 9 else {
            (quarters, isMirrored) = (0, false)
            return
        }
        let (a, b, c, d) = (Int64(matrix[0]), Int64(matrix[1]), Int64(matrix[3]), Int64(matrix[4]))
        isMirrored = a * d - b * c < 0
        // The direction of displayed rows, with y pointing down.
        let (x, y) = isMirrored ? (-a, -b) : (a, b)
        if abs(x) >= abs(y) {
            quarters = x < 0 ? 2 : 0
        } else {
            quarters = y > 0 ? 1 : 3
        }
    }

    private init(quarters: Int, isMirrored: Bool) { (self.quarters, self.isMirrored) = (quarters, isMirrored) }

    /// The transform that undoes this one.
    package var inverse: VideoRotation {
        isMirrored ? self : VideoRotation(quarters: (4 - quarters) % 4, isMirrored: false)
    }

    package var isUpright: Bool { quarters == 0 && !isMirrored }

    /// True if width and height are swapped.
    package var isOnItsSide: Bool { quarters % 2 == 1 }

    /// The display matrix of exactly this transform; nil if upright.
    package var matrix: [Int32]? {
        if isUpright { return nil }
        let one: Int32 = 1 << 16
        let (x, y) = [(one, 0), (0, one), (-one, 0), (0, -one)][quarters]
        let row = isMirrored ? (-x, -y) : (x, y)
        return [row.0, row.1, 0, -y, x, 0, 0, 0, 1 << 30]
    }

    /// libav's filters for the transform.
    package var filters: [String] {
        let turning = [[], ["transpose=clock"], ["hflip", "vflip"], ["transpose=cclock"]][quarters]
        return (isMirrored ? ["hflip"] : []) + turning
    }

    /// The transform in words: `rotated by 90 degrees`, `mirrored`, or both.
    package var words: String {
        let turning = quarters == 0 ? nil : "rotated by \(90 * quarters) degrees"
        return [isMirrored ? "mirrored" : nil, turning].compactMap { $0 }.joined(separator: " and ")
    }
}

extension StreamInfo {
    /// The transform from decoded to displayed frames, rounded to right angles.
    package var turn: VideoRotation { VideoRotation(matrix: displayMatrix) }

    /// The displayed size in coded pixels: width and height are swapped by a quarter turn.
    package var uprightSize: (width: Int, height: Int) { turn.isOnItsSide ? (height, width) : (width, height) }
}
