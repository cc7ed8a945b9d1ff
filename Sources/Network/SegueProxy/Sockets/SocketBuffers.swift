internal import SegueBase
internal import SegueNetworkModel

/// How large the sockets' own buffers are, so that they hide nothing of the link's delay and queue.
struct SocketBuffers {
    private static let least = 16 << 10
    private static let most = 4 << 20
    /// How long the machine may need, in seconds, to fill a buffer again; less leaves gaps on one that is busy.
    private static let reaction = 0.01

    private let bytesPerSecond: Double?

    /// For the sockets of a network's connections.
    init(_ profile: LinkProfile) {
        bytesPerSecond = profile.greatestRate.map { $0 / 8 }
    }

    /// The size for a socket whose round trip takes so many seconds: never below what the rate needs.
    func size(roundTrip: Double) -> Int {
        guard let bytesPerSecond else { return Self.most }
        return min(Self.most, max(Self.least, Int(bytesPerSecond * max(Self.reaction, 2 * roundTrip))))
    }
}
