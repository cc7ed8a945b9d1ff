package import SegueData

extension ReceiveWindow {
    /// What Linux lets be unread where little was read so far, in bytes.
    ///
    /// A buffer of 128 KiB (tcp_rmem) pays for the memory of packets, not for what they carry; the kernel learns the share
    /// from those that come (tcp_measure_rcv_mss). For 1448 bytes in memory of 2048 this is what Linux 6.18 held behind
    /// its own tbf; kernels before 6.6 take the share for a half, so 64 KiB.
    package static let least = 92 << 10

    /// What it never lets be unread more than, in bytes: half of 6 MiB, the largest of tcp_rmem before Linux 6.16.
    package static let greatest = 3 << 20

    /// The most that it ever is, in bytes.
    var most: Int {
        switch self {
        case .fixed(let bytes): max(1, bytes)
        case .tuned: Self.greatest
        }
    }
}
