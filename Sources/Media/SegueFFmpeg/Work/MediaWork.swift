internal import Synchronization

/// What libav has done in this process, for any caller that watches whether it gets on.
package enum MediaWork {
    private static let counter = Atomic<Int>(0)

    /// The number of packets were read from inputs or given to decoders so far, by all threads.
    package static var packets: Int { counter.load(ordering: .relaxed) }

    /// Counts a packet.
    static func count() { counter.add(1, ordering: .relaxed) }
}
