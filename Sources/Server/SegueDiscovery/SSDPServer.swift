import Glibc
import SegueBase
import SegueConcurrency
package import SegueUPnP
import Synchronization

/// An SSDP server on a thread of its own: it announces a device on the links of this machine and responds to searches.
///
/// It follows changes of links. It responds only to senders on the link, within the ``SearchBudget``.
package final class SSDPServer: Sendable {
    /// A pipe: a write to its end 1 wakes the thread at its end 0.
    private let bell: [Int32]
    private let isOver = Atomic<Bool>(false)
    private let hasEnded = Monitor(false)

    /// Starts to announce a device.
    ///
    /// - Parameters:
    ///   - host: The configured host: an address of this machine, or a wildcard.
    ///   - report: Receives, once for each link, the reason why it cannot be used; called on another thread.
    package init(_ device: SSDPDevice, listeningOn host: String, report: @escaping @Sendable (String) -> Void) {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { report("pipe: \(String(cString: strerror(errno)))") }
        for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        bell = ends
        let only = IPv4Address(host).flatMap { $0.bits == 0 ? nil : $0 }
        WorkThread.begin("ssdp") { [self] in
            var links = SSDPLinks(device, only: only, report: report)
            links.run(bell: bell[0]) { isOver.load(ordering: .acquiring) }
            hasEnded.withLock { $0 = true }
        }
    }

    deinit { for end in bell where end >= 0 { Glibc.close(end) } }

    /// Sends goodbyes on all links, and returns when they are sent and the thread has ended.
    package func close() {
        isOver.store(true, ordering: .releasing)
        // Without the pipe the thread wakes at its next check of links.
        _ = write(bell[1], [0], 1)
        hasEnded.wait(for: { $0 })
    }
}

/// The links on which a device is announced.
private struct SSDPLinks {
    private struct Link {
        let interface: NetworkInterface
        let listener: SSDPSocket
        let sender: SSDPSocket
    }

    private struct Waiting {
        let due: ContinuousClock.Instant
        let interface: NetworkInterface
        let bytes: [UInt8]
        let address: IPv4Address
        let port: UInt16
    }

    /// The maximum number of delayed responses.
    private static let waitingLimit = 256
    /// The interval of checks for new and removed links.
    private static let look = Duration.seconds(5)

    private let device: SSDPDevice
    private let only: IPv4Address?
    private let report: (String) -> Void
    private var links: [Link] = []
    private var failed: Set<NetworkInterface> = []
    private var waiting: [Waiting] = []
    private var budget = SearchBudget()
    private let began = ContinuousClock.now
    private var nextLook = ContinuousClock.now
    private var nextAlive = ContinuousClock.now

    init(_ device: SSDPDevice, only: IPv4Address?, report: @escaping (String) -> Void) {
        (self.device, self.only, self.report) = (device, only, report)
    }

    mutating func run(bell: Int32, isOver: () -> Bool) {
        while !isOver() {
            let now = ContinuousClock.now
            if now >= nextLook { lookForLinks(now) }
            if now >= nextAlive { tellAll(now) }
            sendDue(now)
            let next = ([nextLook, nextAlive] + waiting.map(\.due)).min() ?? nextLook
            let milliseconds = max(0, min(60_000, (next - now).wholeNanoseconds / 1_000_000 + 1))
            var watched = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
            watched += links.map { pollfd(fd: $0.listener.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&watched, nfds_t(watched.count), Int32(milliseconds)) > 0 else { continue }
            for (link, entry) in zip(links, watched.dropFirst()) where entry.revents != 0 { hear(link) }
        }
        for link in links { say(device.farewell, on: link) }
    }

    private mutating func lookForLinks(_ now: ContinuousClock.Instant) {
        nextLook = now + Self.look
        let there = NetworkInterfaces.multicast().filter { only == nil || $0.address == only }
        links.removeAll { !there.contains($0.interface) }
        failed.formIntersection(there)
        for interface in there
        where !failed.contains(interface) && !links.contains(where: { $0.interface == interface }) {
            do throws(SSDPSocket.Failure) {
                let link = Link(
                    interface: interface,
                    listener: try .listening(on: interface),
                    sender: try .sending(on: interface)
                )
                links.append(link)
                // This invalidates cached announcements of a server that ended without goodbyes.
                say(device.farewell, on: link)
                say(device.alive(from: interface.address.description), on: link)
            } catch {
                failed.insert(interface)
                report("\(error)")
            }
        }
    }

    /// Repeats the announcements at a random time, well before they expire.
    private mutating func tellAll(_ now: ContinuousClock.Instant) {
        nextAlive = now + .seconds(Int.random(in: (device.maxAge / 4)...(device.maxAge / 2)))
        for link in links { say(device.alive(from: link.interface.address.description), on: link) }
    }

    private func say(_ messages: [SSDPMessage], on link: Link) {
        guard let group = IPv4Address(SSDPDevice.group) else { return }
        for message in messages { link.sender.send(message.bytes, to: group, port: SSDPDevice.port) }
    }

    private mutating func hear(_ link: Link) {
        // Bounded, however many datagrams arrive.
        for _ in 0..<64 {
            guard let (bytes, source, port) = link.listener.receive() else { return }
            guard link.interface.reaches(source), port != 0, let message = SSDPMessage(bytes) else { continue }
            let (answers, seconds) = device.answers(to: message, from: link.interface.address.description)
            let now = ContinuousClock.now
            let count = min(
                answers.isEmpty ? 0 : budget.allowed(answers.count, to: source.bits, at: now - began),
                Self.waitingLimit - waiting.count
            )
            for answer in answers.prefix(max(0, count)) {
                let delay = Duration.milliseconds(Int.random(in: 0...(seconds * 800)))
                waiting.append(
                    Waiting(
                        due: now + delay,
                        interface: link.interface,
                        bytes: answer.bytes,
                        address: source,
                        port: port
                    )
                )
            }
        }
    }

    private mutating func sendDue(_ now: ContinuousClock.Instant) {
        for answer in waiting where answer.due <= now {
            let link = links.first { $0.interface == answer.interface }
            link?.sender.send(answer.bytes, to: answer.address, port: answer.port)
        }
        waiting.removeAll { $0.due <= now }
    }
}
