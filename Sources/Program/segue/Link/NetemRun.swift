import Foundation
import Glibc
import SegueBase
import SegueNetworkModel
import Subprocess

/// Has Linux itself be the network, for a command that runs in a namespace of its own.
struct NetemRun {
    /// The network.
    let profile: LinkProfile
    /// What is run, with its arguments; without any, the network stays until a signal comes.
    let command: [String]
    /// Whether nothing but errors is said.
    let quiet: Bool

    /// Runs the command and takes all away again.
    ///
    /// - Throws: `CommandFailure` when the network cannot be made.
    func run() async throws -> Int32 {
        if let obstacle = Self.obstacle(isRoot: geteuid() == 0, exists: { access($0, X_OK) == 0 }) { throw obstacle }
        // Not ignored, which a command would inherit: what it does about a signal is its own affair.
        for number in [SIGINT, SIGTERM] { signal(number) { _ in } }
        let namespaces = NetemNamespaces(process: getpid())
        try await namespaces.make(initialWindow: NetemPlan(profile, hasNetem: true)?.initialWindow)
        let result: Result<Int32, any Error>
        do {
            result = .success(try await run(in: namespaces))
        } catch {
            result = .failure(error)
        }
        await namespaces.remove()
        return try result.get()
    }

    /// Looks whether a network can be made here.
    ///
    /// - Parameters:
    ///   - isRoot: Whether the process may make namespaces.
    ///   - exists: Whether a program is at a path.
    /// - Returns: Why not; nil where it can.
    static func obstacle(isRoot: Bool, exists: (String) -> Bool) -> CommandFailure? {
        guard isRoot else {
            return CommandFailure("--netem", "namespaces take root; use sudo, or --listen, which needs no rights")
        }
        for tool in ["ip", "tc"] {
            guard ["/usr/sbin", "/sbin", "/usr/bin", "/bin"].contains(where: { exists("\($0)/\(tool)") }) else {
                return CommandFailure("--netem", "there is no \(tool) on this machine; install the package iproute2")
            }
        }
        return nil
    }

    /// What tc is told for a network, by a kernel that has `netem` or has not.
    ///
    /// - Throws: `CommandFailure` where the network takes more than the kernel has.
    static func plan(_ profile: LinkProfile, hasNetem: Bool) throws(CommandFailure) -> NetemPlan {
        guard let plan = NetemPlan(profile, hasNetem: hasNetem) else {
            throw CommandFailure(
                profile.name,
                "it delays or loses packets, for which this kernel lacks sch_netem; load it with modprobe sch_netem where "
                    + "there is such a module, or use --listen, which does without"
            )
        }
        return plan
    }

    private func run(in namespaces: NetemNamespaces) async throws -> Int32 {
        let plan = try Self.plan(profile, hasNetem: await namespaces.hasNetem())
        if !quiet {
            for sentence in plan.leftOut { StandardError.write("\(profile.name): with --netem \(sentence)\n") }
        }
        let begun = ContinuousClock.now
        for direction in LinkDirection.allCases {
            try await apply(plan.settings(direction, at: .zero), direction, in: namespaces, isFirst: true)
        }
        return try await withThrowingTaskGroup(of: Int32?.self) { group in
            for direction in LinkDirection.allCases {
                group.addTask {
                    try await follow(plan, direction, in: namespaces, since: begun)
                    return nil
                }
            }
            let child = NetemCommand()
            group.addTask { await heed(child) }
            if command.isEmpty {
                say(namespaces)
            } else {
                group.addTask { try await runCommand(namespaces, child) }
            }
            defer { group.cancelAll() }
            while let code = try await group.next() {
                if let code { return code }
            }
            return 0
        }
    }

    /// Changes a direction when the network does.
    private func follow(
        _ plan: NetemPlan,
        _ direction: LinkDirection,
        in namespaces: NetemNamespaces,
        since begun: ContinuousClock.Instant
    ) async throws {
        var settings = plan.settings(direction, at: .zero)
        while let until = settings.until {
            try await Task.sleep(until: begun + .nanoseconds(until.nanoseconds), clock: .continuous)
            settings = plan.settings(direction, at: until)
            try await apply(settings, direction, in: namespaces, isFirst: false)
        }
    }

    private func apply(
        _ settings: NetemPlan.Settings,
        _ direction: LinkDirection,
        in namespaces: NetemNamespaces,
        isFirst: Bool
    ) async throws {
        let isDown = direction == .down
        try await namespaces.set(isDown ? .toClient : .toMachine, to: settings.way, isFirst: isFirst)
        try await namespaces.set(isDown ? .machine : .client, to: settings.queue, isFirst: isFirst)
    }

    private func runCommand(_ namespaces: NetemNamespaces, _ child: NetemCommand) async throws -> Int32 {
        let ended = try await Subprocess.run(
            .name("ip"),
            arguments: .init(["netns", "exec", namespaces.client] + command),
            environment: .inherit.updating(["SEGUE_SERVER": namespaces.machineAddress]),
            input: .currentStandardInput,
            output: .currentStandardOutput,
            error: .currentStandardError
        ) { execution in child.begin(execution.processIdentifier.value) }
        return NetemCommand.exitCode(ended.terminationStatus)
    }

    private func say(_ namespaces: NetemNamespaces) {
        StandardOutput.write(
            "\(profile.name) lies between \(namespaces.machineAddress), this machine, and what is run with "
                + "'ip netns exec \(namespaces.client) COMMAND'\n"
        )
    }

    /// Waits for a signal, and hands it on to the command.
    ///
    /// - Returns: The exit code where there is no command; nil when the command has ended.
    private func heed(_ child: NetemCommand) async -> Int32? {
        let (signals, came) = AsyncStream.makeStream(of: Int32.self)
        let sources = [SIGINT, SIGTERM].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { came.yield(number) }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        for await number in signals {
            if command.isEmpty { return 0 }
            child.send(number)
        }
        return nil
    }
}
