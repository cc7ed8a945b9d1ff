import Glibc
import SegueBase
import SegueUPnP

/// An SSDP search for media servers on all links of this machine.
package final class SSDPSearch {
    /// A response to a search.
    package struct Answer: Sendable, Hashable {
        /// The URL of the description.
        package var location: String
        /// The `SERVER` field.
        package var product: String
        /// The unique service name.
        package var name: String
    }

    /// The maximum number of responses.
    private static let most = 256

    private var sockets: [(interface: NetworkInterface, socket: SSDPSocket)] = []

    /// Sends the search on all links.
    ///
    /// - Parameter seconds: The time limit for responses; at least 1.
    package init(within seconds: Int) {
        for interface in NetworkInterfaces.multicast() {
            guard let socket = try? SSDPSocket.sending(on: interface), let group = IPv4Address(SSDPDevice.group) else {
                continue
            }
            // Twice, since datagrams get lost.
            for _ in 0..<2 {
                socket.send(SSDPDevice.search(within: seconds).bytes, to: group, port: SSDPDevice.port)
            }
            sockets.append((interface, socket))
        }
    }

    /// Returns the responses until a time, one for each server.
    ///
    /// A response counts only if it comes from the link and its description is at the sender's address.
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
