internal import CSegueFFmpeg
internal import SegueConcurrency

/// What libav's interrupt callback looks at: the cancellation of the call in progress.
///
/// Only the thread that is inside libav with the owning context touches it.
final class InterruptBox {
    var cancellation: Cancellation
    /// The context that is read with.
    var context: UnsafeMutablePointer<AVFormatContext>?
    /// True if the call in progress was stopped since it has read too much.
    private(set) var hasReadTooMuch = false

    private var bytesBefore: Int64 = 0

    init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    /// True if the call in progress should stop since nobody waits for it any more.
    var isCancelled: Bool { cancellation.isCancelled }

    /// The number of bytes one call may read: nothing that is media goes so far without a packet, but holes and rubbish
    /// do.
    static let greatestRead: Int64 = 256 << 20

    /// Counts what is read from here on.
    func begin() {
        bytesBefore = bytesRead
        hasReadTooMuch = false
    }

    private var bytesRead: Int64 { context?.pointee.pb?.pointee.bytes_read ?? 0 }

    private var shouldStop: Bool {
        if isCancelled { return true }
        if bytesRead - bytesBefore > InterruptBox.greatestRead { hasReadTooMuch = true }
        return hasReadTooMuch
    }

    /// The callback for a context; the box must outlive it.
    var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                let box = Unmanaged<InterruptBox>.fromOpaque(opaque).takeUnretainedValue()
                return box.shouldStop ? 1 : 0
            },
            opaque: Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
