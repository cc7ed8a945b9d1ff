internal import CSegueSystem
internal import Glibc
internal import SegueBase

/// An epoll instance; it belongs to one thread.
struct Poller: ~Copyable {
    /// The readiness of a descriptor.
    struct Event {
        let tag: UInt64
        let isReadable: Bool
        let isWritable: Bool
        let isBroken: Bool

        /// The assumption about a socket without known events.
        static let everything = Event(tag: 0, isReadable: true, isWritable: true, isBroken: false)
    }

    private static let most = 256

    private let descriptor: Int32
    private var found = [ssock_event](repeating: ssock_event(), count: Poller.most)

    init() throws(ProxyError) {
        descriptor = ssock_poller()
        guard descriptor >= 0 else { throw ProxyError(.other, of: "proxy", SystemError.words(-descriptor)) }
    }

    deinit { close(descriptor) }

    /// Watches a socket in both directions, edge-triggered.
    ///
    /// - Returns: True if it can be watched.
    func watch(_ socket: Int32, tag: UInt64) -> Bool { ssock_watch(descriptor, socket, tag) == 0 }

    /// Watches a descriptor for reading, level-triggered.
    func watchLevel(_ other: Int32, tag: UInt64) { _ = ssock_watch_level(descriptor, other, tag) }

    func unwatch(_ other: Int32) { _ = ssock_unwatch(descriptor, other) }

    /// Waits for events, up to a limit; nil for no limit.
    mutating func wait(_ limit: Duration?) -> [Event] {
        let nanoseconds = limit.map { max(0, $0.wholeNanoseconds) } ?? -1
        let count = ssock_wait(descriptor, &found, Int32(Self.most), nanoseconds)
        guard count > 0 else { return [] }
        return found[..<Int(count)].map {
            Event(tag: $0.tag, isReadable: $0.readable != 0, isWritable: $0.writable != 0, isBroken: $0.broken != 0)
        }
    }
}
