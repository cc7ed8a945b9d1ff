internal import CFFmpeg
internal import Synchronization

/// A way to stop blocking work from another thread, or when its time is over.
///
/// libav asks it between reads through its interrupt callback; loops of ours ask it between packets.
package final class Cancellation: Sendable {
    private let cancelled = Atomic<Bool>(false)
    private let deadline: ContinuousClock.Instant?

    /// A cancellation that only ``cancel()`` triggers, or also the passing of a deadline.
    package init(deadline: ContinuousClock.Instant? = nil) { self.deadline = deadline }

    /// Stops the work; may be called from any thread, any number of times.
    package func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Whether the work should stop.
    package var isCancelled: Bool {
        if cancelled.load(ordering: .relaxed) { return true }
        guard let deadline else { return false }
        return ContinuousClock.now >= deadline
    }

    /// Throws when the work should stop.
    ///
    /// - Throws: ``MediaError`` whose `isCancelled` is true.
    package func check(_ call: String, file: String) throws(MediaError) {
        guard isCancelled else { return }
        throw MediaError(call: call, file: file, code: ffs_error_exit, message: "cancelled")
    }
}

/// What libav's interrupt callback looks at: the cancellation of the call in progress.
///
/// Only the thread that is inside libav with the owning context touches it.
final class InterruptBox {
    var cancellation: Cancellation?

    /// The callback for a context; the box must outlive it.
    var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                let box = Unmanaged<InterruptBox>.fromOpaque(opaque).takeUnretainedValue()
                return box.cancellation?.isCancelled == true ? 1 : 0
            },
            opaque: Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
