import Foundation
import Glibc
import SegueNetworkModel
import Subprocess

/// Two network namespaces: a client, and a router between it and the machine.
///
/// Packets to the client leave the machine through ``Device/machine`` and the router through ``Device/toClient``.
/// Packets of the client leave it through ``Device/client`` and the router through ``Device/toMachine``.
struct NetemNamespaces {
    /// A network device.
    enum Device: String, CaseIterable {
        case machine
        case toMachine = "to-machine"
        case toClient = "to-client"
        case client = "to-router"
    }

    /// The prefix of all names, which lead to the process that must remove them.
    private static let prefix = "segue-"

    private let router: String
    /// The namespace of the client.
    let client: String
    private let link: String
    private let net: String

    /// The address of this machine for the client.
    var machineAddress: String { "\(net).1" }
    private var clientAddress: String { "\(net).6" }

    /// The names for a process.
    ///
    /// Each process has addresses of its own in the range that RFC 2544 reserves for tests.
    init(process: Int32) {
        router = "\(Self.prefix)\(process)-router"
        client = "\(Self.prefix)\(process)-client"
        link = "segue\(process)"
        net = "198.\(18 + process / 256 % 2).\(process % 256)"
    }

    /// Creates the namespaces, their devices, and their routes.
    ///
    /// `initialWindow` is the number of segments that this machine may send the client at first; nil for its default.
    ///
    /// - Throws: `CommandFailure` with the system's message, after removing everything.
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
        try await join(link, in: nil, net: "\(net).1/30", to: Device.toMachine.rawValue, net: "\(net).2/30")
        try await join(
            Device.toClient.rawValue,
            in: router,
            net: "\(net).5/30",
            to: Device.client.rawValue,
            net: "\(net).6/30"
        )
        try await ip("netns", "exec", router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        try await ip("-n", client, "route", "add", "default", "via", "\(net).5")
        let window = initialWindow.map { ["initcwnd", "\($0)"] } ?? []
        try await run("ip", ["route", "add", "\(net).4/30", "via", "\(net).2"] + window)
    }

    /// Connects two devices: one here or in the router, the other in the router or the client.
    private func join(_ here: String, in from: String?, net hereNet: String, to there: String, net thereNet: String)
        async throws
    {
        let to = from == nil ? router : client
        let place = from.map { ["-n", $0] } ?? []
        try await run("ip", place + ["link", "add", here, "type", "veth", "peer", "name", there, "netns", to])
        try await address(here, place: place, net: hereNet)
        try await address(there, place: ["-n", to], net: thereNet)
    }

    private func address(_ device: String, place: [String], net: String) async throws {
        try await run("ip", place + ["address", "add", net, "dev", device])
        // Packets have 1514 bytes as on a real line; by default up to 64 KiB pass at once.
        try await run("ip", place + ["link", "set", "dev", device, "gso_max_segs", "1", "up"])
    }

    /// Returns whether the kernel has `netem`.
    func hasNetem() async -> Bool {
        let words = ["-n", router, "qdisc", "replace", "dev", "lo", "root", "netem", "delay", "1ms"]
        return (try? await run("tc", words)) != nil
    }

    /// Sets the queue of a device.
    ///
    /// `words` are the arguments of `tc` after `root`; nil for no queue. `isFirst` decides whether there was none
    /// before.
    ///
    /// - Throws: `CommandFailure` with the system's message.
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
        // A packet wakes the queue, which may wait for a time long past.
        if !isFirst { await knock(device) }
    }

    /// Sends an unused packet through a device that leads to the router.
    private func knock(_ device: Device) async {
        switch device {
        case .machine: _ = try? await run("bash", ["-c", "echo > /dev/udp/\(clientAddress)/9"])
        case .client:
            let words = ["netns", "exec", client, "bash", "-c", "echo > /dev/udp/\(machineAddress)/9"]
            _ = try? await run("ip", words)
        case .toMachine, .toClient: break
        }
    }

    func remove() async {
        for name in [client, router] { _ = try? await ip("netns", "delete", name) }
        _ = try? await ip("link", "delete", link)
    }

    /// Removes what killed processes left behind.
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

    /// Runs a system tool.
    ///
    /// - Throws: `CommandFailure` with its message.
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
                said ?? "it exited with \(ended.terminationStatus)"
            )
        }
        return ended.standardOutput
    }
}
