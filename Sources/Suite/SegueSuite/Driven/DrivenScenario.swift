internal import SegueEvents
internal import SeguePlayerModel

/// The part of a scenario that a driver supports.
///
/// Steps of one file belong together: if one of them is not supported, all are left out, with the reason. If that part
/// opened the first item, the next part opens it.
struct DrivenScenario {
    /// The scenario without unsupported parts.
    let scenario: Scenario
    /// The omitted parts, with reasons.
    let omissions: [String]

    /// True if nothing remains of a scenario with omissions.
    var isEmpty: Bool { !omissions.isEmpty && scenario.tracks.allSatisfy { $0.steps.allSatisfy { $0.act == nil } } }

    init(_ scenario: Scenario, _ hello: DriverHello) {
        var omissions: [String] = []
        let tracks = scenario.tracks.map { track in
            var kept: [Scenario.Step] = []
            var isOpenMissing = false
            for part in Self.parts(of: track.steps) {
                let wanted = part.lazy.flatMap { $0.asks + [$0.act?.driverCommand].compactMap(\.self) }
                guard let missing = wanted.first(where: { !hello.can.contains($0) }) else {
                    if isOpenMissing, part.lazy.compactMap(\.act).first?.opened == nil { kept += Self.opening(part[0]) }
                    isOpenMissing = false
                    kept += part
                    continue
                }
                isOpenMissing = isOpenMissing || !kept.contains { $0.act?.opened != nil }
                omissions.append("\(Self.file(of: part[0])): \(hello.player) does not support \(missing)")
            }
            for index in kept.indices { kept[index].number = index + 1 }
            return Scenario.Track(name: track.name, steps: kept)
        }
        self.scenario = scenario.with(tracks: tracks)
        self.omissions = omissions
    }

    /// Consecutive steps of one file.
    private static func parts(of steps: [Scenario.Step]) -> [[Scenario.Step]] {
        steps.reduce(into: []) { parts, step in
            if let last = parts.last?.first, file(of: last) == file(of: step) {
                parts[parts.count - 1].append(step)
            } else {
                parts.append([step])
            }
        }
    }

    /// The steps that open an item and wait until it is ready, before a step that needs it.
    private static func opening(_ step: Scenario.Step) -> [Scenario.Step] {
        let open = PlayerAct.open(PlayerAct.Items(1))
        return [(open, nil), (nil, Condition.word(.status, ["readyToPlay"]))].map { act, expectation in
            Scenario.Step(
                number: step.number,
                place: step.place,
                label: nil,
                trigger: nil,
                within: act == nil ? Expression(60) : nil,
                act: act.map { .player($0) },
                expectation: expectation,
                counters: [:],
                asks: []
            )
        }
    }

    private static func file(of step: Scenario.Step) -> String {
        String(step.place.prefix(upTo: step.place.lastIndex(of: ":") ?? step.place.endIndex))
    }
}
