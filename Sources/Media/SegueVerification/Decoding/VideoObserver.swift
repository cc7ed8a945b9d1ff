internal import SegueFFmpeg

/// Observes if the decoded frames of a segment are damaged, black, or all the same.
struct VideoObserver {
    private(set) var count = 0
    private(set) var damaged = 0
    /// True if a frame is interlaced.
    private(set) var isInterlaced = false
    private var black = 0
    private var same = 0
    private var former: [Int] = []

    /// The mean luma up to which a block of limited range is black, of 16 to 235.
    private static let blackLimit = 24
    /// The numbers of compared blocks.
    private static let (columns, rows) = (32, 18)
    /// The difference of the mean luma up to which a block has not changed, in quarters.
    private static let sameLimit = 2

    mutating func see(_ frame: Frame) {
        count += 1
        if frame.isDamaged { damaged += 1 }
        if frame.isInterlaced { isInterlaced = true }
        guard let blocks = Self.blocks(frame) else { return }
        if blocks.allSatisfy({ $0 <= Self.blackLimit * 4 }) { black += 1 }
        let isSame = blocks.count == former.count && zip(blocks, former).allSatisfy { abs($0 - $1) <= Self.sameLimit }
        if isSame { same += 1 }
        former = blocks
    }

    var isBlack: Bool { count > 0 && black == count }

    /// True if each of several frames looks like the one before.
    var isFrozen: Bool { count > 2 && same == count - 1 }

    /// The mean luma of blocks, in quarters; nil for other formats than planar YUV of 8 bits.
    private static func blocks(_ frame: Frame) -> [Int]? {
        let formats = ["yuv420p", "yuv422p", "yuv444p", "yuvj420p", "yuvj422p", "yuvj444p", "nv12"]
        let (width, height) = (frame.width / columns, frame.height / rows)
        guard let format = frame.pixelFormat, formats.contains(format), width > 0, height > 0,
            let plane = frame.plane(0)
        else { return nil }
        let line = frame.lineSize(plane: 0)
        // Every second pixel of every second line is enough.
        return (0..<rows * columns).map { block in
            let start = line * (block / columns * height) + block % columns * width
            var (sum, count) = (0, 0)
            for row in stride(from: 0, to: height, by: 2) {
                for column in stride(from: 0, to: width, by: 2) { sum += Int(plane[start + line * row + column]) }
                count += (width + 1) / 2
            }
            return sum * 4 / count
        }
    }
}
