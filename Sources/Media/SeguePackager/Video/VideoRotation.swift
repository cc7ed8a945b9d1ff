/// A display transform: an optional horizontal mirror, then a clockwise rotation by right angles.
struct VideoRotation: Sendable, Hashable {
    /// The clockwise right angles: 0 to 3.
    let quarters: Int
    /// True if mirrored before the rotation.
    let isMirrored: Bool

    /// Parses a display matrix (ISO/IEC 14496-12, 6.2.2) with rounding to right angles; nil is upright.
    init(matrix: [Int32]?) {
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

    /// True if width and height are swapped.
    var isOnItsSide: Bool { quarters % 2 == 1 }

    /// libav's filters for the transform.
    var filters: [String] {
        let turning = [[], ["transpose=clock"], ["hflip", "vflip"], ["transpose=cclock"]][quarters]
        return (isMirrored ? ["hflip"] : []) + turning
    }
}
