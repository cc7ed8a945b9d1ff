extension Frame {
    /// Creates a frame of planar samples from -1 to 1 with equal counts, in the default layout for the channel count.
    package convenience init(planes: [[Float]], rate: Int) throws(MediaError) {
        try self.init(
            sampleFormat: "fltp",
            sampleRate: rate,
            layout: ChannelLayout(channels: planes.count),
            samples: planes.first?.count ?? 0
        )
        for (index, samples) in planes.enumerated() {
            guard let plane = plane(index) else { continue }
            samples.withUnsafeBytes { bytes in
                guard let from = bytes.baseAddress else { return }
                plane.withMemoryRebound(to: UInt8.self, capacity: bytes.count) {
                    UnsafeMutableRawPointer($0).copyMemory(from: from, byteCount: bytes.count)
                }
            }
        }
    }
}
