internal import SegueBase
internal import SegueSearch

/// A trial as a test in Swift.
struct TrialText: CustomStringConvertible {
    let description: String

    /// The text of a trial that violates a rule; `app` is the app with a changed declaration, if any; `hasNetwork` and `hasServer` state whether the search chose the
    /// network and the titles.
    init(_ trial: Trial, _ platform: String, rule: String, app: App? = nil, hasNetwork: Bool, hasServer: Bool) {
        let conditions = trial.conditions
        let loss = conditions.loss > 0 ? ", loss: \(conditions.loss)" : ""
        let own = ".link(kilobits: \(conditions.rate), delay: \(conditions.delay)\(loss))"
        let network = hasNetwork ? own : "network"
        let arguments = [
            "platform: \"\(platform)\"", "network: \(network)",
            hasServer ? "server: .titles(duration: .seconds(\(trial.length)))" : nil,
            app.map { "app: \($0.swift)" },
            "think: .milliseconds(\(conditions.think))", trial.seed > 0 ? "seed: \(trial.seed)" : nil,
        ]
        var lines = [
            "@MainActor @Test func \(TrialText.name(of: rule))() async throws {", "    try await withWorld(",
            arguments.compactMap(\.self).map { "        \($0)" }.joined(separator: ",\n"), "    ) { world in",
            "        let app = start(world)",
        ]
        for step in trial.paced {
            if step.after > .zero { lines.append("        \(TrialText.sleep(step.after))") }
            lines.append("        \(step.act.swift(network))")
        }
        lines += [
            "        \(TrialText.sleep(Trial.settling))",
            "        #expect(world.broken.isEmpty, \"\\(world.broken)\")", "        withExtendedLifetime(app) {}",
            "    }",
            "}",
        ]
        description = lines.joined(separator: "\n")
    }

    private static func sleep(_ time: Duration) -> String {
        let milliseconds = Int(time / .milliseconds(1))
        let text = milliseconds % 1000 == 0 ? ".seconds(\(milliseconds / 1000))" : ".milliseconds(\(milliseconds))"
        return "try await Task.sleep(for: \(text))"
    }

    /// Returns the name of a rule as the name of a function.
    private static func name(of rule: String) -> String {
        let words = rule.split { !$0.isLetter && !$0.isNumber }
        return (["breaks"] + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }).joined()
    }
}

extension Act {
    /// Returns a line of Swift.
    fileprivate func swift(_ network: String) -> String {
        switch self {
        case .press(let button): "world.user.press(.\(button.rawValue))"
        case .named(let name): "world.user.press(\(name.debugDescription))"
        case .seek(let place): "world.user.seek(to: .seconds(\(place)))"
        case .rate(let rate): "world.user.set(rate: \(rate))"
        case .choose(let index): "world.user.choose(\(index))"
        case .goHome: "world.device.goHome()"
        case .lock: "world.device.lock()"
        case .comeBack: "world.device.comeBack()"
        case .interrupt: "world.device.interrupt()"
        case .endInterruption(let shouldResume): "world.device.endInterruption(shouldResume: \(shouldResume))"
        case .route(let route): "world.device.change(to: .\(route.rawValue))"
        case .remote(let button, _): "world.user.press(.\(button.rawValue))"
        case .resetServices: "world.device.resetMediaServices()"
        case .silentSwitch(let isSilent): "world.device.setSilentSwitch(\(isSilent))"
        case .warnOfMemory: "world.device.warnOfMemory()"
        case .lowPower(let isEnabled): "world.device.setLowPowerMode(\(isEnabled))"
        case .network(let conditions):
            "try world.setNetwork(.link(kilobits: \(conditions.rate), delay: \(conditions.delay), "
                + "loss: \(conditions.loss)))"
        case .offline: "try world.setNetwork(.broken)"
        case .online: "try world.setNetwork(\(network))"
        case .fault(let trouble, let kind, let count): "world.plant(\(trouble.swift)\(kind.swift(count)))"
        case .mend: "world.removePlantedFaults()"
        }
    }
}

extension Act.Trouble {
    fileprivate var swift: String {
        switch self {
        case .status(let status): ".status(\(status))"
        case .reset(let bytes): ".reset(after: \(bytes))"
        case .stall(let seconds): ".stall(for: .seconds(\(seconds)))"
        case .truncation(let bytes): ".truncation(after: \(bytes))"
        }
    }
}

extension Act.Kind {
    fileprivate func swift(_ count: Int?) -> String {
        let parts = [self == .any ? nil : "kind: .\(rawValue)", count.map { "count: \($0)" }].compactMap(\.self)
        return parts.isEmpty ? "" : ".meeting(\(parts.joined(separator: ", ")))"
    }
}

extension App {
    /// The declarations that differ from those of an app for background audio, in Swift.
    fileprivate var swift: String {
        let modes = backgroundModes.map { ".\($0)" }.joined(separator: ", ")
        let parts = [
            backgroundModes == App().backgroundModes ? nil : "backgroundModes: [\(modes)]",
            audioSession.category == App().audioSession.category
                ? nil : "audioSession: .init(category: .\(audioSession.category))",
        ]
        return "App(\(parts.compactMap(\.self).joined(separator: ", ")))"
    }
}
