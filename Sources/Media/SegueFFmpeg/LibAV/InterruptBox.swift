internal import CSegueFFmpeg
internal import SegueConcurrency

/// The state of libav's interrupt callback.
///
/// Only the thread that is inside libav with the owning context accesses it.
final class InterruptBox {
    var cancellation: Cancellation
    var context: UnsafeMutablePointer<AVFormatContext>?
    /// True if the call was stopped because it exceeded ``greatestRead``.
    private(set) var hasReadTooMuch = false

    private var bytesBefore: Int64 = 0

    init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    var isCancelled: Bool { cancellation.isCancelled }

    /// The read limit per call, in bytes: media has packets within it, unlike sparse files or garbage.
    static let greatestRead: Int64 = 256 << 20

    /// Starts counting reads.
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

    /// libav's callback; the box must outlive the context.
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
