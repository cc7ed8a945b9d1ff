package import SegueData

extension ReceiveWindow {
    /// Linux's initial window, in bytes.
    ///
    /// A buffer of 128 KiB (tcp_rmem) covers the memory of packets, not their payload; the kernel learns the ratio from
    /// arrivals (tcp_measure_rcv_mss). This is the value of Linux 6.18 behind its own tbf, for 1448 bytes in 2048 bytes
    /// of memory. Kernels before 6.6 assume a ratio of a half, which gives 64 KiB.
    package static let least = 92 << 10

    /// Linux's maximum window, in bytes: half of 6 MiB, the maximum of tcp_rmem before Linux 6.16.
    package static let greatest = 3 << 20

    /// The maximum of this window, in bytes.
    var most: Int {
        switch self {
        case .fixed(let bytes): max(1, bytes)
        case .tuned: Self.greatest
        }
    }
}
