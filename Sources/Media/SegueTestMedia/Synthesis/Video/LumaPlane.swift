/// A borrowed luma plane, valid while the frame lives.
package struct LumaPlane {
    let luma: UnsafeBufferPointer<UInt8>
    let width: Int
    let height: Int
    let stride: Int
    let bytes: Int
    let shift: Int

    /// Creates a plane from rows of samples; nil if the memory is too short; samples deeper than 8 bits are
    /// little-endian 16-bit values.
    package init?(luma: UnsafeBufferPointer<UInt8>, width: Int, height: Int, stride: Int, depth: Int = 8) {
        bytes = depth > 8 ? 2 : 1
        guard width > 0, height > 0, stride >= width * bytes, luma.count >= stride * (height - 1) + width * bytes else {
            return nil
        }
        (self.luma, self.width, self.height, self.stride, shift) = (luma, width, height, stride, depth - 8)
    }

    /// The brightness of one sample, in 8 bits.
    subscript(column: Int, row: Int) -> Int {
        let place = row * stride + column * bytes
        let high = bytes == 2 ? Int(luma[place + 1]) << 8 : 0
        return (high | Int(luma[place])) >> shift
    }

    /// Reduces a frame to a maximum width by averaging some of the samples.
    func reduced(toWidth most: Int) -> ReducedImage {
        let step = max((width + most - 1) / most, (height + most - 1) / most, 1)
        let (columns, rows) = (max(width / step, 1), max(height / step, 1))
        let stride = max(step / 4, 1)
        let levels = [Int16](unsafeUninitializedCapacity: columns * rows) { levels, filled in
            for row in 0..<rows {
                for column in 0..<columns {
                    var (sum, count) = (0, 0)
                    for line in Swift.stride(from: row * step, to: min((row + 1) * step, height), by: stride) {
                        for place in Swift.stride(from: column * step, to: min((column + 1) * step, width), by: stride)
                        {
                            sum += self[place, line]
                            count += 1
                        }
                    }
                    levels[row * columns + column] = Int16(sum / max(count, 1))
                }
            }
            filled = columns * rows
        }
        return ReducedImage(width: columns, height: rows, step: step, levels: levels)
    }
}

/// A reduced grayscale frame.
struct ReducedImage {
    let width: Int
    let height: Int
    /// The reduction factor.
    let step: Int
    let levels: [Int16]
}

extension LumaPlane {
    /// A thumbnail for comparing frames.
    package var look: [Int16] { reduced(toWidth: 16).levels }
}
