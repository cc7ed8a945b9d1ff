internal import SegueBase
internal import SegueNetworkModel

/// The sizes of the sockets' own buffers, which must not hide the link's delay and queue.
struct SocketBuffers {
    private static let least = 16 << 10
    private static let most = 4 << 20
    /// The time that a busy machine may need to refill a buffer, in seconds; less would cause gaps.
    private static let reaction = 0.01

    private let bytesPerSecond: Double?

    /// Creates the sizes for the connections of a network.
    init(_ profile: LinkProfile) {
        bytesPerSecond = profile.greatestRate.map { $0 / 8 }
    }

    /// The size for a socket with a round-trip time, sufficient for the rate.
    func size(roundTrip: Double) -> Int {
        guard let bytesPerSecond else { return Self.most }
        return min(Self.most, max(Self.least, Int(bytesPerSecond * max(Self.reaction, 2 * roundTrip))))
    }
}
