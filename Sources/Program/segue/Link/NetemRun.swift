import Foundation
import Glibc
import SegueBase
import SegueNetworkModel
import Subprocess

/// A network simulated by the Linux kernel for a command in a namespace.
struct NetemRun {
    let profile: LinkProfile
    /// The command with its arguments; empty to keep the network until a signal.
    let command: [String]
    let quiet: Bool

    /// Runs the command, and removes the network.
    ///
    /// - Throws: `CommandFailure` if the network cannot be created.
    func run() async throws -> Int32 {
        if let obstacle = Self.obstacle(isRoot: geteuid() == 0, exists: { access($0, X_OK) == 0 }) { throw obstacle }
        // The signals are handled, not ignored: the command would inherit that.
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

    /// The reason why no network can be created here; nil if it can.
    ///
    /// `isRoot` decides whether the process may create namespaces. `exists` returns whether a program is at a path.
    static func obstacle(isRoot: Bool, exists: (String) -> Bool) -> CommandFailure? {
        guard isRoot else {
            return CommandFailure(
                "--netem",
                "network namespaces require root; use sudo, or --listen, which needs no privileges"
            )
        }
        for tool in ["ip", "tc"] {
            guard ["/usr/sbin", "/sbin", "/usr/bin", "/bin"].contains(where: { exists("\($0)/\(tool)") }) else {
                return CommandFailure("--netem", "there is no \(tool) on this machine; install the package iproute2")
            }
        }
        return nil
    }

    /// The arguments of tc for a network.
    ///
    /// - Throws: `CommandFailure` if the kernel lacks `netem` and the network requires it.
    static func plan(_ profile: LinkProfile, hasNetem: Bool) throws(CommandFailure) -> NetemPlan {
        guard let plan = NetemPlan(profile, hasNetem: hasNetem) else {
            throw CommandFailure(
                profile.name,
                "it delays or loses packets, which requires the kernel module sch_netem; load it with modprobe sch_netem if "
                    + "available, or use --listen, which does not need it"
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

    /// Follows the changes of a direction.
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
            "\(profile.name) is between \(namespaces.machineAddress), this machine, and commands run with "
                + "'ip netns exec \(namespaces.client) COMMAND'\n"
        )
    }

    /// Waits for a signal, and forwards it to the command.
    ///
    /// Returns the exit code if there is no command; nil when the command has ended.
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
