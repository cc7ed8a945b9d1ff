internal import CSegueSystem
internal import Glibc
internal import SegueBase

/// The system's answer to which sockets are ready; it belongs to one thread.
struct Poller: ~Copyable {
    /// What a descriptor is ready for since it was last looked at.
    struct Event {
        let tag: UInt64
        let isReadable: Bool
        let isWritable: Bool
        let isBroken: Bool

        /// What may be so of a socket whose events were not followed.
        static let everything = Event(tag: 0, isReadable: true, isWritable: true, isBroken: false)
    }

    private static let most = 256

    private let descriptor: Int32
    private var found = [ssock_event](repeating: ssock_event(), count: Poller.most)

    init() throws(ProxyError) {
        descriptor = ssock_poller()
        guard descriptor >= 0 else { throw ProxyError(.other, "proxy", SystemError.words(-descriptor)) }
    }

    deinit { close(descriptor) }

    /// Watches a socket for both ways, telling each change once.
    ///
    /// - Returns: Whether it could be watched.
    func watch(_ socket: Int32, tag: UInt64) -> Bool { ssock_watch(descriptor, socket, tag) == 0 }

    /// Watches a descriptor as long as it is readable.
    func watchLevel(_ other: Int32, tag: UInt64) { _ = ssock_watch_level(descriptor, other, tag) }

    /// Watches it no more.
    func unwatch(_ other: Int32) { _ = ssock_unwatch(descriptor, other) }

    /// Waits for events, so long at the most; nil for as long as it takes.
    mutating func wait(_ limit: Duration?) -> [Event] {
        let nanoseconds = limit.map { max(0, $0.wholeNanoseconds) } ?? -1
        let count = ssock_wait(descriptor, &found, Int32(Self.most), nanoseconds)
        guard count > 0 else { return [] }
        return found[..<Int(count)].map {
            Event(tag: $0.tag, isReadable: $0.readable != 0, isWritable: $0.writable != 0, isBroken: $0.broken != 0)
        }
    }
}
