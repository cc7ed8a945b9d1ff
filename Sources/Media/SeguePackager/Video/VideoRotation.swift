/// How a frame is turned for display: mirrored left to right or not, then turned clockwise by right angles.
struct VideoRotation: Sendable, Hashable {
    /// Right angles, clockwise: 0 to 3.
    let quarters: Int
    /// True if left and right change places first.
    let isMirrored: Bool

    /// Reads a display matrix (ISO/IEC 14496-12, 6.2.2): nine numbers, the first two rows turning and mirroring.
    ///
    /// Any other angle counts as the nearest right one.
    ///
    /// - Parameter matrix: The matrix; nil is upright.
    init(matrix: [Int32]?) {
        guard let matrix, matrix.count == 9 else {
            (quarters, isMirrored) = (0, false)
            return
        }
        let (a, b, c, d) = (Int64(matrix[0]), Int64(matrix[1]), Int64(matrix[3]), Int64(matrix[4]))
        isMirrored = a * d - b * c < 0
        // The direction in which the frame's rows run once it is shown, y counting downwards.
        let (x, y) = isMirrored ? (-a, -b) : (a, b)
        if abs(x) >= abs(y) {
            quarters = x < 0 ? 2 : 0
        } else {
            quarters = y > 0 ? 1 : 3
        }
    }

    /// True if width and height change places.
    var isOnItsSide: Bool { quarters % 2 == 1 }

    /// libav's filters that turn a frame so.
    var filters: [String] {
        let turning = [[], ["transpose=clock"], ["hflip", "vflip"], ["transpose=cclock"]][quarters]
        return (isMirrored ? ["hflip"] : []) + turning
    }
}
