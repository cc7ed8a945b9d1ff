package import SegueData
package import SeguePlayerModel

/// A requirement of a step for the platform and app of a case.
package enum StepRequirement: Sendable, Equatable {
    case player(PlatformProfile.PlayerKind)
    /// The earliest version of a system; other systems meet it.
    case system(SystemVersion)
    case field(PlatformRequirement)

    /// Reads the requirements of a mapping.
    ///
    /// - Throws: `HarnessError` for an unknown key or value.
    static func list(_ key: String, in fields: inout HarnessFields) throws(HarnessError) -> [StepRequirement] {
        guard var inside = try fields.fields(key) else { return [] }
        var requirements: [StepRequirement] = []
        for name in inside.names {
            switch name {
            case "player":
                guard let kind = try inside.word(name, of: PlatformProfile.PlayerKind.self) else { continue }
                requirements.append(.player(kind))
            case "system":
                guard let version = try inside.text(name).flatMap(SystemVersion.init) else {
                    throw inside.error(name, "must be a name and a version such as iOS 4.3")
                }
                requirements.append(.system(version))
            default: requirements.append(.field(try PlatformRequirement(name, in: &inside)))
            }
        }
        try inside.finish()
        return requirements
    }
}

/// The platform and app of a case, to which a scenario is adapted.
struct ScenarioStage {
    let platform: PlatformProfile
    let app: AppProfile?

    /// The kind of player that the app uses.
    private var player: PlatformProfile.PlayerKind {
        app?.player ?? (platform.players.contains(.queuePlayer) ? .queuePlayer : .moviePlayer)
    }

    /// True if the app can run at all.
    var isPossible: Bool { platform.players.contains(player) }

    /// The reason for which a requirement is not met; nil if it is.
    func reason(against requirement: StepRequirement) -> String? {
        switch requirement {
        case .player(let kind):
            guard kind != player else { return nil }
            return "the step requires a \(kind.rawValue), and \(app?.name ?? platform.name) uses a \(player.rawValue)"
        case .system(let version): return missing(version, "")
        case .field(let field): return field.isMet(by: platform) ? nil : field.reason(in: platform)
        }
    }

    /// The reason for which the player does not have the method of an act; nil if it has.
    func reason(against act: Scenario.Act?) -> String? {
        guard case .player(let act)? = act else { return nil }
        switch act.availability(on: player) {
        case .always: return nil
        case .since(let version, let symbol): return missing(version, " for \(symbol)")
        case .never(let reason): return "\(app?.name ?? platform.name) uses a \(player.rawValue): \(reason)"
        }
    }

    private func missing(_ version: SystemVersion, _ purpose: String) -> String? {
        guard let system = platform.system, system.system == version.system, !system.isAtLeast(version) else {
            return nil
        }
        return "the step requires \(version)\(purpose), and \(platform.name) is \(system)"
    }
}
