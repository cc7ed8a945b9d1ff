internal import SegueBase
internal import SegueData
internal import SegueSearch

/// A trial as a scenario file, with the user's intent at each step.
struct TrialScenario {
    let text: String

    /// The number of steps.
    let steps: Int

    /// The intent of the user at each step; nil for steps of the device.
    let wishes: [UserAction?]

    /// `network` is the name of the network; nil if the trial chooses it.
    ///
    /// `rule` is the rule that must hold at the end; nil for none. `about` is the description of the scenario.
    init(_ trial: Trial, network: String?, rule: String? = nil, about: String = "A run of a search.") {
        var lines: [String] = [], wishes: [UserAction?] = []
        let base = network ?? trial.conditions.yaml
        if network == nil {
            lines.append("{ network: \(base) }")
            wishes.append(nil)
        }
        lines.append("{ do: open }")
        wishes.append(nil)
        var (waited, isAway, isLocked) = (Duration.zero, false, false)
        for step in trial.paced {
            waited += step.after
            switch step.act {
            case .goHome: isAway = true
            case .lock: (isAway, isLocked) = (true, !isAway)
            case .comeBack: (isAway, isLocked) = (false, false)
            default: break
            }
            if case .remote(_, let sender) = step.act, (sender == .lockScreen) != isLocked, sender != .headphones {
                continue
            }
            // A user who left the app cannot press its buttons.
            if step.act.isOfUser, isAway { continue }
            guard let act = step.act.yaml(base) else { continue }
            lines.append("{ " + (waited > .zero ? "after: \(waited.text), " : "") + act + " }")
            wishes.append(step.act.wish)
            waited = .zero
        }
        // A declaration that breaks a rule makes audio inaudible.
        let broken = trial.variation == nil ? rule : rule.map { _ in "silent" }
        let end = broken.flatMap { TrialScenario.expectations[$0] }.map { ", expect: \($0)" } ?? ""
        lines.append(
            "{ after: \((waited + Trial.settling).text)\(end.isEmpty ? ", expect: { time: \">= 0\" }" : end) }"
        )
        wishes.append(nil)
        let title = (rule ?? "trial").map { $0.isLetter || $0.isNumber ? $0 : "-" }
        text =
            """
            name: explored-\(String(title))
            about: \(EventText.quoted(about))
            think: \(DecimalText.short(Double(trial.conditions.think) / 1000))
            within: 1000
            steps:

            """ + lines.map { "  - \($0)\n" }.joined()
        self.wishes = wishes
        steps = lines.count - (end.isEmpty ? 1 : 0)
    }

    /// The expectations at the end of a scenario that express the rules.
    private static let expectations = [
        "rejected": "{ events: { kind: platform.rejected, count: \"0\" } }",
        "exception": "{ events: { kind: app.exception, count: \"0\" } }",
        "crash": "{ events: { kind: app.terminated, count: \"0\" } }",
        "silent": "{ audible: true }", "background": "{ audible: true }", "unwished": "{ audible: false }",
    ]
}

/// A text as a quoted YAML string.
private enum EventText {
    static func quoted(_ text: String) -> String {
        "\"" + text.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}

extension Duration {
    fileprivate var text: String { DecimalText.short(seconds) }
}

extension Conditions {
    fileprivate var yaml: String {
        let loss = loss > 0 ? ", loss: \(DecimalText.short(Double(self.loss) / 10)) %" : ""
        let up = max(1, rate / 4)
        return "{ name: \"\(rate) kbit/s\", source: \"a search\", "
            + "down: { rate: \(rate) kbit/s, delay: \(delay) ms\(loss) }, "
            + "up: { rate: \(up) kbit/s, delay: \(delay) ms\(loss) } }"
    }
}

extension Act {
    /// The act as a step; nil where scenarios have no such act.
    fileprivate func yaml(_ network: String) -> String? {
        switch self {
        case .press(.play): "do: play"
        case .press(.pause): "do: pause"
        case .press(.next): "do: advance"
        case .press(.toggle), .press(.stop), .press(.previous), .named, .choose, .warnOfMemory, .lowPower: nil
        case .seek(let place): "do: slide, to: \(place)"
        case .rate(let rate): "do: rate, to: \(DecimalText.short(rate))"
        case .goHome: "do: background"
        case .lock: "do: lock"
        case .comeBack: "do: foreground"
        case .interrupt: "do: interrupt"
        case .endInterruption(let shouldResume): "do: end-interruption, resume: \(shouldResume)"
        case .route(let route): "do: change-route, to: \(route.rawValue)"
        case .resetServices: "do: reset-services"
        case .remote(let button, let sender): "do: remote, command: \(button.rawValue), from: \(sender.rawValue)"
        case .silentSwitch(let isSilent): "do: silent-switch, is: \(isSilent ? "on" : "off")"
        case .network(let conditions): "network: \(conditions.yaml)"
        case .offline:
            "network: { name: broken, source: \"a search\", down: { rate: 1 Mbit/s }, up: { rate: 1 Mbit/s }, "
                + "outages: [{ at: 0 s, for: 900000 s }] }"
        case .online: "network: \(network)"
        case .fault(let trouble, let kind, let count):
            "fault: { "
                + [
                    kind == .any ? nil : "kind: \(kind.rawValue)", count.map { "count: \($0)" }, trouble.yaml,
                ].compactMap(\.self).joined(separator: ", ") + " }"
        case .mend: "do: mend"
        }
    }

    /// The intent that the act expresses; nil for acts of the device.
    fileprivate var wish: UserAction? {
        switch self {
        case .press(.play), .remote(.play, _): .play
        case .press(.pause), .remote(.pause, _): .pause
        case .press(.next): .next
        case .seek(let place): .seek(to: .seconds(place))
        case .rate(let rate): .rate(rate)
        default: nil
        }
    }
}

extension Act.Trouble {
    fileprivate var yaml: String {
        switch self {
        case .status(let status): "status: \(status)"
        case .reset(let bytes): "reset: \(bytes) bytes"
        case .stall(let seconds): "stall: \(seconds) s"
        case .truncation(let bytes): "truncate: \(bytes) bytes"
        }
    }
}
