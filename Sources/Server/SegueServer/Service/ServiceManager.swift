import Foundation

/// The service manager that started the program: sd_notify(3) and sd_watchdog_enabled(3) of systemd.
package struct ServiceManager: Sendable {
    package enum State: String, Sendable {
        /// Requests are accepted.
        case ready = "READY=1"
        /// The configuration is being reloaded; ``ready`` follows.
        case reloading = "RELOADING=1"
        case stopping = "STOPPING=1"
        /// A sign of life for the watchdog.
        case alive = "WATCHDOG=1"
    }

    /// A notification that cannot be sent.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// The failed call.
        package var call: String
        /// The value of `errno`.
        package var number: Int32
        /// One line for people.
        package var description: String { "service manager: \(call): \(String(cString: strerror(number)))" }
    }

    /// The watchdog's time limit; nil without a watchdog.
    package let interval: Duration?
    /// The name of the socket; one that starts with a zero byte is abstract.
    private let name: [UInt8]

    /// Creates the service manager of an environment; nil without one.
    ///
    /// - Parameters:
    ///   - environment: The environment with `NOTIFY_SOCKET`, `WATCHDOG_USEC`, and `WATCHDOG_PID`.
    package init?(environment: [String: String], process: Int32) {
        guard let path = environment["NOTIFY_SOCKET"], let first = path.utf8.first,
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
        else { return nil }
        var name = Array(path.utf8)
        guard (2..<MemoryLayout.size(ofValue: sockaddr_un().sun_path)).contains(name.count) else { return nil }
        if first == UInt8(ascii: "@") { name[0] = 0 }
        self.name = name
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        interval = isMeant && limit > 0 ? .microseconds(limit) : nil
    }

    /// Sends a notification; does not block.
    ///
    /// - Parameters:
    ///   - status: An additional line for people; nil for none.
    /// - Throws: ``Failure``.
    package func tell(_ state: State, status: String? = nil) throws(Failure) {
        let line = Self.message(state, status: status)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        let sent = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, line, line.count, flags, $0, length)
            }
        }
        guard sent == line.count else { throw Failure(call: "sendto", number: errno) }
    }

    static func message(_ state: State, status: String?) -> [UInt8] {
        let words = status.map { "\nSTATUS=\($0.filter { !$0.isNewline })" } ?? ""
        return Array((state.rawValue + words).utf8)
    }
}
