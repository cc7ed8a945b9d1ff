import Glibc
import SegueBase
import SegueUPnP

/// A search for servers of media on all links of this machine (SSDP).
package final class SSDPSearch {
    /// A server that answered.
    package struct Answer: Sendable, Hashable {
        /// The address of its description.
        package var location: String
        /// What it says it is.
        package var product: String
        /// What names it uniquely.
        package var name: String
    }

    /// The most answers that are kept.
    private static let most = 256

    private var sockets: [(interface: NetworkInterface, socket: SSDPSocket)] = []

    /// Asks on all links; who is there answers within a time.
    ///
    /// - Parameter seconds: The time that answers may take, at least 1.
    package init(within seconds: Int) {
        for interface in NetworkInterfaces.multicast() {
            guard let socket = try? SSDPSocket.sending(on: interface), let group = IPv4Address(SSDPDevice.group) else {
                continue
            }
            // Twice, as datagrams get lost.
            for _ in 0..<2 {
                socket.send(SSDPDevice.search(within: seconds).bytes, to: group, port: SSDPDevice.port)
            }
            sockets.append((interface, socket))
        }
    }

    /// What has come, each server once; waits until a time for more.
    ///
    /// An answer counts that comes from the link and whose description lies with who answers.
    package func answers(until end: ContinuousClock.Instant) -> [Answer] {
        var answers: [Answer] = []
        while true {
            for (interface, socket) in sockets {
                for _ in 0..<Self.most {
                    guard let (bytes, source, _) = socket.receive() else { break }
                    guard interface.reaches(source), let answer = Self.answer(bytes, from: source),
                        answers.count < Self.most, !answers.contains(answer)
                    else { continue }
                    answers.append(answer)
                }
            }
            let left = end - ContinuousClock.now
            guard left > .zero, !sockets.isEmpty else { return answers }
            var watched = sockets.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
            poll(&watched, nfds_t(watched.count), Int32(min(60_000, left.wholeNanoseconds / 1_000_000 + 1)))
        }
    }

    private static func answer(_ bytes: [UInt8], from source: IPv4Address) -> Answer? {
        guard let message = SSDPMessage(bytes), message.kind == .answer,
            message.field("ST") == DeviceDescription.type, let location = message.field("LOCATION"),
            location.hasPrefix("http://\(source):") || location.hasPrefix("http://\(source)/")
        else { return nil }
        return Answer(location: location, product: message.field("SERVER") ?? "", name: message.field("USN") ?? "")
    }
}
