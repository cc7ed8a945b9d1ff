internal import Synchronization

/// A progress counter of libav's work in this process, for watchdogs.
package enum MediaWork {
    private static let counter = Atomic<Int>(0)

    /// The number of packets read or decoded so far by all threads.
    package static var packets: Int { counter.load(ordering: .relaxed) }

    static func count() { counter.add(1, ordering: .relaxed) }
}
