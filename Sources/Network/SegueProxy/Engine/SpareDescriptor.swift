internal import CSegueSystem
internal import Glibc

/// A spare descriptor, to accept and reset a client when there are no others.
final class SpareDescriptor {
    private var descriptor = SpareDescriptor.open()

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Accepts a client of a listener with the spare descriptor and resets it, as it would wait without an answer.
    func acceptAndReset(_ listener: Int32) {
        if descriptor >= 0 { close(descriptor) }
        var peer = ssock_address()
        let socket = ssock_accept(listener, &peer)
        if socket >= 0 { ssock_reset(socket) }
        descriptor = Self.open()
    }

    private static func open() -> Int32 { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
