import Foundation
import Glibc
import SegueNetworkModel
import Subprocess

/// Two network namespaces of this machine: a client, and a router between it and the machine itself.
///
/// What is sent to the client leaves the machine through ``Device/machine`` and the router through ``Device/toClient``;
/// what the client sends leaves it through ``Device/client`` and the router through ``Device/toMachine``.
struct NetemNamespaces {
    /// A device that something leaves through.
    enum Device: String, CaseIterable {
        case machine
        case toMachine = "to-machine"
        case toClient = "to-client"
        case client = "to-router"
    }

    /// What all names begin with: they lead back to the process that must take them away.
    private static let prefix = "segue-"

    private let router: String
    /// The namespace from which the machine is reached over the network.
    let client: String
    private let link: String
    private let net: String

    /// The address under which the client reaches what listens on this machine.
    var machineAddress: String { "\(net).1" }
    private var clientAddress: String { "\(net).6" }

    /// Names for a process; nothing is made yet.
    ///
    /// - Parameter process: The process, which has addresses of its own of those that RFC 2544 keeps for such uses.
    init(process: Int32) {
        router = "\(Self.prefix)\(process)-router"
        client = "\(Self.prefix)\(process)-client"
        link = "segue\(process)"
        net = "198.\(18 + process / 256 % 2).\(process % 256)"
    }

    /// Makes the namespaces, with what joins them and the ways between them.
    ///
    /// - Parameter initialWindow: How many segments this machine may send the client at first; nil for its own.
    /// - Throws: `CommandFailure` with what the system said; then all that was made is gone again.
    func make(initialWindow: Int?) async throws {
        try await Self.removeLeftovers()
        do {
            try await build(initialWindow)
        } catch {
            await remove()
            throw error
        }
    }

    private func build(_ initialWindow: Int?) async throws {
        for name in [router, client] {
            try await ip("netns", "add", name)
            try await ip("-n", name, "link", "set", "lo", "up")
        }
        try await join(link, in: nil, "\(net).1/30", Device.toMachine.rawValue, "\(net).2/30")
        try await join(Device.toClient.rawValue, in: router, "\(net).5/30", Device.client.rawValue, "\(net).6/30")
        try await ip("netns", "exec", router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        try await ip("-n", client, "route", "add", "default", "via", "\(net).5")
        let window = initialWindow.map { ["initcwnd", "\($0)"] } ?? []
        try await run("ip", ["route", "add", "\(net).4/30", "via", "\(net).2"] + window)
    }

    /// Joins two devices: one here or in the router, the other in the router or the client.
    private func join(_ here: String, in from: String?, _ hereNet: String, _ there: String, _ thereNet: String)
        async throws
    {
        let to = from == nil ? router : client
        let place = from.map { ["-n", $0] } ?? []
        try await run("ip", place + ["link", "add", here, "type", "veth", "peer", "name", there, "netns", to])
        try await address(here, place, hereNet)
        try await address(there, ["-n", to], thereNet)
    }

    private func address(_ device: String, _ place: [String], _ net: String) async throws {
        try await run("ip", place + ["address", "add", net, "dev", device])
        // Packets of 1514 bytes, as they are on a line: otherwise up to 64 KiB cross at once.
        try await run("ip", place + ["link", "set", "dev", device, "gso_max_segs", "1", "up"])
    }

    /// Whether the kernel has `netem`.
    func hasNetem() async -> Bool {
        let words = ["-n", router, "qdisc", "replace", "dev", "lo", "root", "netem", "delay", "1ms"]
        return (try? await run("tc", words)) != nil
    }

    /// Has a device queue as it is told.
    ///
    /// - Parameters:
    ///   - words: What `tc` is told after `root`; nil for no queue.
    ///   - isFirst: Whether there was none before.
    /// - Throws: `CommandFailure` with what the system said.
    func set(_ device: Device, to words: [String]?, isFirst: Bool) async throws {
        let place: [String] =
            switch device {
            case .machine: []
            case .toMachine, .toClient: ["-n", router]
            case .client: ["-n", client]
            }
        let name = device == .machine ? link : device.rawValue
        if let words {
            try await run("tc", place + ["qdisc", "replace", "dev", name, "root"] + words)
        } else if !isFirst {
            try await run("tc", place + ["qdisc", "del", "dev", name, "root"])
        }
        // A packet has the queue looked at again that may have waited for a time long past.
        if !isFirst { await knock(device) }
    }

    /// Sends a packet that nobody waits for through a device that leads to the router.
    private func knock(_ device: Device) async {
        switch device {
        case .machine: _ = try? await run("bash", ["-c", "echo > /dev/udp/\(clientAddress)/9"])
        case .client:
            let words = ["netns", "exec", client, "bash", "-c", "echo > /dev/udp/\(machineAddress)/9"]
            _ = try? await run("ip", words)
        case .toMachine, .toClient: break
        }
    }

    /// Takes all away.
    func remove() async {
        for name in [client, router] { _ = try? await ip("netns", "delete", name) }
        _ = try? await ip("link", "delete", link)
    }

    /// Takes away what processes have left that were killed.
    private static func removeLeftovers() async throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/run/netns")) ?? []
        for name in names where name.hasPrefix(prefix) {
            guard let process = Int32(name.dropFirst(prefix.count).prefix { $0.isNumber }), kill(process, 0) != 0,
                errno == ESRCH
            else { continue }
            await NetemNamespaces(process: process).remove()
        }
    }

    @discardableResult
    private func ip(_ words: String...) async throws -> String { try await run("ip", words) }

    /// Runs a tool of the system.
    ///
    /// - Throws: `CommandFailure` with what it said.
    @discardableResult
    private func run(_ tool: String, _ words: [String]) async throws -> String {
        let ended = try await Subprocess.run(
            .name(tool),
            arguments: .init(words),
            output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16)
        )
        guard case .exited(0) = ended.terminationStatus else {
            let said = ended.standardError.split(whereSeparator: \.isNewline).first.map(String.init)
            throw CommandFailure(
                ([tool] + words).joined(separator: " "),
                said ?? "it ended with \(ended.terminationStatus)"
            )
        }
        return ended.standardOutput
    }
}
